import { join } from 'node:path';

/** Where events wait until a load has taken them in. */
export function inboxFolder(dataDir: string): string {
  return join(dataDir, 'inbox');
}

/** A file by which a receiver tries whether the inbox's disk takes one; it is there for an instant. */
export function trialPath(dataDir: string): string {
  return join(inboxFolder(dataDir), `.trial-${process.pid}`);
}

/** The name of such a file of whatever process. */
export const trialName = /^\.trial-\d+$/;

/** The keys of events whose segments are in the archive: SHA-256s, 32 bytes each, in no order. */
export function keysPath(dataDir: string): string {
  return join(inboxFolder(dataDir), 'keys.bin');
}

/** Segments whose events are in the warehouse, in a folder for each UTC day. */
export function archivedEventsFolder(dataDir: string): string {
  return join(dataDir, 'archive', '_events');
}

/** Held by the one process that appends to segments, for as long as it lives. */
export function receiverLockPath(dataDir: string): string {
  return join(dataDir, 'locks', 'receiver.lock');
}

/** Held by whoever takes events in from files: one after another. */
export function ingestLockPath(dataDir: string): string {
  return join(dataDir, 'locks', 'ingest.lock');
}

/** Held by whoever appends to the keys and moves segments to the archive. */
export function inboxLockPath(dataDir: string): string {
  return join(dataDir, 'locks', 'inbox.lock');
}
