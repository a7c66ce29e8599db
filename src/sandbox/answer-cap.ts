/** How much one answer holds at most, as services limit it without saying so. The API's documentation has no such limit. */
export interface AnswerCap {
  /** Posts in an answer of analytics, the newest ones; null: all that there are. */
  posts: number | null;
}
