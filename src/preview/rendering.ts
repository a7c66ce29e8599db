/** A mistake that kept a page from being made. */
export interface PreviewFault {
  /** For example `reports/hiring/by_month.sql:3:8`; null where the message tells. */
  readonly place: string | null;
  readonly message: string;
}

/** What became of one look at a report's files. */
export interface Rendering {
  /** Null when there are faults. */
  readonly html: string | null;
  readonly faults: readonly PreviewFault[];
  /** Absolute paths of the files and folders that it rests on, there or not. */
  readonly inputs: readonly string[];
}
