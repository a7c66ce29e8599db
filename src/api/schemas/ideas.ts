import { z } from 'zod';
import { dateTime, identifier } from './vocabulary.ts';

/** An idea as archiving it returns it. */
export const archivedIdeaSchema = z
  .looseObject({
    id: identifier,
    workspaceId: identifier,
    archivedAt: dateTime,
  })
  .meta({
    id: 'ArchivedIdea',
    description: 'An idea in the trash, from which it is deleted for good after 30 days.',
  });
export type ArchivedIdea = z.infer<typeof archivedIdeaSchema>;
