/** Texts of replies; {mention} is a colleague who is called. */
export const firstReplies: readonly string[] = [
  'Could we say this in half as many words?',
  '{mention} is this the right figure? I remember another one.',
  'Legal asks for “up to” here.',
  'Love this line ❤️',
  'Skal det være «strøm» eller «kraft» her, {mention}?',
  'これは公開しても大丈夫ですか？ {mention}',
  '<b>Bold</b> does not work there, and neither does &amp;',
  'هذه الجملة طويلة جدًا، {mention}',
  'Two things:\n1. the comma\n2. the name of the town',
];

export const laterReplies: readonly string[] = [
  'Done.',
  'Good catch, changed.',
  '{mention} what do you think?',
  'Merci, c’est noté !',
  'I would leave it: it is how people say it.',
  '+1',
  'Zrobione 👍',
  'See the mail of this morning, {mention}; the second figure is right.',
];

export const emoji: readonly string[] = ['👍', '❤️', '🎉', '👀', '😂', '🙏🏽'];
