import { destinationOf } from '../deliver/delivery.ts';
import { createFormatter } from '../languages/number-format.ts';
import type { RenderedGroup } from '../pipeline/known-deliveries.ts';
import type { ReviewLook } from '../render/html/review-page.ts';
import type { Comment } from './comment-fields.ts';
import { mailLooks } from './shown-files.ts';

/** What a page shows, by which it is told what has changed since. */
export interface Shown {
  readonly recipients: readonly string[];
  readonly subjects: readonly string[];
  readonly figures: readonly { readonly label: string; readonly text: string }[];
  readonly comments: string;
}

export function shownOf({ mails }: RenderedGroup, comments: readonly Comment[]): Shown {
  const looks = mailLooks(mails);
  const [first] = looks;
  return {
    recipients: mails.map(({ rendered }) => destinationOf(rendered.record.target)).sort(),
    subjects: looks.map(({ mail: { rendered } }) => {
      const { target } = rendered.record;
      return target?.kind === 'mail' ? target.subject : '';
    }),
    figures: first?.mail.rendered.record.figures ?? [],
    comments: JSON.stringify(comments.map(({ raw }) => raw)),
  };
}

/** Says in sentences what has changed between two versions of a page. @param before undefined: it is not known any more */
export function changesOf(before: Shown | undefined, now: Shown, look: ReviewLook): string[] {
  const { say } = createFormatter(look);
  if (before === undefined)
    return [
      say(
        'Its recipients, its comment or its figures are not those of the page that you had open.',
      ),
    ];
  const list = (texts: readonly string[]) => texts.join(', ') || say('nobody');
  const isOther = (was: readonly string[], is: readonly string[]) => list(was) !== list(is);
  const values = (was: readonly string[], is: readonly string[]) => ({
    was: list(was),
    now: list(is),
  });
  const { recipients, subjects } = before;
  const changes = [
    ...(isOther(recipients, now.recipients)
      ? [say('It goes to {now:text} (was {was:text}).', values(recipients, now.recipients))]
      : []),
    ...(isOther(subjects, now.subjects)
      ? [say('Its subject is {now:text} (was {was:text}).', values(subjects, now.subjects))]
      : []),
    ...now.figures.flatMap(({ label, text }) => {
      const was = before.figures.find((figure) => figure.label === label)?.text;
      return was === text || was === undefined
        ? []
        : [say('{label:text} {now:text} (was {was:text})', { label, now: text, was })];
    }),
    ...(before.comments === now.comments ? [] : [say('The comment is another.')]),
  ];
  return changes.length > 0 ? changes : [say('Other figures or texts of the reports.')];
}
