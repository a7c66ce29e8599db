import { profiles, whole, type GoldenCase } from './golden-rows.ts';

const page = { ...whole, save_count: null, send_count: null };
const member = { ...whole, profile_id: 'p2', click_count: null };
const types = ['Text', 'Image', 'Video'];
const bothKinds = [...profiles, { profile_id: 'p2', name: 'Mara Lind', cpm: null }];

/** Posts of 8 October to 22 November 2025 with two weeks that have none; every third is a video. */
const audiences = Array.from({ length: 36 }, (_, index) => {
  const isPage = index % 2 === 0;
  const day = index < 20 ? 6 + (index % 10) : 10 + (index % 12);
  const month = index < 20 ? '10' : '11';
  const isVideo = index % 3 === 2;
  return {
    ...(isPage ? page : member),
    linkedin_post_id: `p${String(index).padStart(2, '0')}`,
    post_id: index % 4 === 0 ? `q${String(index)}` : null,
    type: types[index % 3],
    published_at: `2025-${month}-${String(day).padStart(2, '0')}T0${String(7 + (index % 2))}:15:00Z`,
    impression_count: index === 5 ? 0 : 400 + 97 * index,
    // reactions count for life, impressions for 12 months
    engagement: index === 5 ? 0 : index === 7 ? 3.25 : 0.02 + (index % 7) / 100,
    like_count: index === 9 ? -1 : 20 + index,
    video_view_count: isVideo ? 90 + index : null,
    video_viewer_count: isVideo ? 70 + index : null,
    video_watch_time_seconds: isVideo ? 400 + 60 * index : null,
  };
});

/** The case of pages and members that the report on engagement must handle. */
export const audienceCases: readonly GoldenCase[] = [
  {
    name: 'pages-and-members',
    reports: ['engagement'],
    rows: {
      profiles: bothKinds,
      linkedin_posts: audiences,
      posts: audiences.flatMap(({ post_id }) =>
        post_id === null ? [] : { post_id, title: post_id },
      ),
      labels: [{ label_id: 'l1', name: 'Hiring' }],
      post_labels: audiences.flatMap(({ post_id }) =>
        post_id === null ? [] : { post_id, label_id: 'l1' },
      ),
    },
    parameters: { from: '2025-10-08', to: '2025-11-22' },
  },
];
