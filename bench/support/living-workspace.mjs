/** What people do on a day: figures that are put right, and now and then a post that is deleted. */
export async function changeWorkspace(world, random, deleted) {
  const posts = await world.posts();
  if (posts.length === 0) return;
  for (let count = 0; count < 3; count += 1) {
    const { id } = random.pick(posts);
    const change = {
      impressionCount: random.integer(0, 100_000),
      likeCount: random.integer(-1, 500),
    };
    await world.control('POST', `/linkedin-posts/${id}/metrics`, change);
  }
  const linked = posts.filter(({ servicePost }) => typeof servicePost?.id === 'string');
  if (linked.length < 10 || !random.isChance(0.25)) return;
  const { id } = random.pick(linked).servicePost;
  await world.control('POST', `/posts/${id}/delete`);
  deleted.add(id);
}
