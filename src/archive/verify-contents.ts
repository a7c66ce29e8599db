import { join } from 'node:path';
import pLimit from 'p-limit';
import { hasErrorCode, isSystemError } from '../core/errors.ts';
import { prunedName, responseStem } from '../landing/layout.ts';
import {
  contentsName,
  contentsText,
  describeFile,
  readContents,
  sha256Of,
  unfinishedContents,
  type ContentsList,
  type ListedFile,
} from './contents-list.ts';
import {
  finding,
  foreign,
  mendable,
  note,
  sealCommand,
  unlisted,
  unreadable,
  type Finding,
} from './finding.ts';
import type { KnownArchive } from './known-archive.ts';
import { partKey } from './ledger-index.ts';
import type { PartEntry } from './ledger-line.ts';

/** How a part stands to its list of contents, and that to the ledger. */
export interface ContentsCheck {
  readonly findings: readonly Finding[];
  /** The ledger tells of it. */
  readonly isSealed: boolean;
  /** Its files were held against a list that is right. */
  readonly isListed: boolean;
}

interface PartFiles {
  readonly folder: string;
  readonly names: ReadonlySet<string>;
}

const filesAtOnce = 16;
/** What a kill leaves of the record of a pruned body. */
const unfinishedRecord = /^\d{6,}\.pruned\.json\.[0-9a-f-]{36}\.tmp$/;

/** @param names of the part's files @param place below the folder of the archive */
export async function checkContents(
  folder: string,
  names: ReadonlySet<string>,
  known: KnownArchive,
  place: string,
): Promise<ContentsCheck> {
  const entry = known.parts.get(place);
  const part = { folder, names };
  if (!names.has(contentsName)) {
    if (!entry) return { findings: [], isSealed: false, isListed: false };
    return replaceable('missing', part, entry, "the list of the part's files is gone");
  }
  const read = await readContents(join(folder, contentsName));
  if ('problem' in read) return brokenList(part, entry, read);
  const { text, list } = read;
  const pruned = known.pruned.get(partKey(list)) ?? new Set<number>();
  if (entry && sha256Of(text) !== entry.contents_sha256) {
    return otherList(part, entry, text, pruned);
  }
  const findings = await compare(part, list, pruned);
  // of a ledger that is not whole it is told once
  if (!entry && known.isIntact) findings.push(unlisted(folder, 'the ledger does not tell of it'));
  return { findings, isSealed: entry !== undefined, isListed: true };
}

async function brokenList(
  part: PartFiles,
  entry: PartEntry | undefined,
  { problem }: { readonly problem: string },
): Promise<ContentsCheck> {
  if (entry) return replaceable('damaged', part, entry, problem);
  const told = finding('damaged', join(part.folder, contentsName), problem);
  return { findings: [told], isSealed: false, isListed: false };
}

/** A list that is not the ledger's, though it may be right for the files that are there now. */
async function otherList(
  part: PartFiles,
  entry: PartEntry,
  text: string,
  pruned: ReadonlySet<number>,
): Promise<ContentsCheck> {
  const present = await listPresent(part, entry);
  if (contentsText(present) === text) {
    const told =
      pruned.size > 0
        ? mendable('note', part.folder, 'a prune was killed at its end', `${sealCommand} ends it`)
        : unlisted(part.folder, 'its list is right, but the ledger tells of another one');
    return { findings: [told], isSealed: false, isListed: true };
  }
  return replaceable('damaged', part, entry, 'it is not the list that the ledger tells of');
}

/** Without a good list the ledger still knows what it would be if all other files were as they were. */
async function replaceable(
  kind: 'missing' | 'damaged',
  part: PartFiles,
  entry: PartEntry,
  problem: string,
): Promise<ContentsCheck> {
  const present = contentsText(await listPresent(part, entry));
  const isAllThere = sha256Of(present) === entry.contents_sha256;
  const path = join(part.folder, contentsName);
  const told = isAllThere
    ? mendable(
        kind,
        path,
        `${problem}; all other files are as they were archived`,
        `${sealCommand} writes it anew`,
      )
    : finding(kind, path, `${problem}, and other files of the part are not what they were either`);
  return { findings: [told], isSealed: false, isListed: isAllThere };
}

async function listPresent({ folder, names }: PartFiles, entry: PartEntry): Promise<ContentsList> {
  const listed = [...names]
    .filter((name) => name !== contentsName && !unfinishedContents.test(name))
    .sort();
  const files = await pLimit(filesAtOnce).map(listed, (name) => describeFile(folder, name));
  return { version: 1, workspace: entry.workspace, run_id: entry.run_id, files };
}

async function compare(
  part: PartFiles,
  list: ContentsList,
  pruned: ReadonlySet<number>,
): Promise<Finding[]> {
  const givenUp = new Set([...pruned].map((seq) => `${responseStem(seq)}.body.gz`));
  const inTheirPlace = new Set([...pruned].map((seq) => prunedName(responseStem(seq))));
  const expected = list.files.filter(({ name }) => part.names.has(name) || !givenUp.has(name));
  const found = await pLimit(filesAtOnce).map(expected, (file) => compareFile(part.folder, file));
  const listed = new Set([contentsName, ...list.files.map(({ name }) => name), ...inTheirPlace]);
  const strays = [...part.names].filter((name) => !listed.has(name)).sort();
  return [...found.flat(), ...strays.map((name) => strayFile(part.folder, name))];
}

async function compareFile(folder: string, listed: ListedFile): Promise<Finding[]> {
  const path = join(folder, listed.name);
  try {
    const { bytes, sha256 } = await describeFile(folder, listed.name);
    if (sha256 === listed.sha256) return [];
    const change =
      bytes === listed.bytes
        ? `its ${bytes} bytes are others`
        : `${bytes} bytes instead of ${listed.bytes}`;
    return [finding('damaged', path, `it is not what was archived: ${change}`)];
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) {
      return [finding('missing', path, 'it was archived and is gone')];
    }
    if (isSystemError(error)) return [unreadable(path, error)];
    throw error;
  }
}

function strayFile(folder: string, name: string): Finding {
  const path = join(folder, name);
  const isLeft = unfinishedContents.test(name) || unfinishedRecord.test(name);
  if (!isLeft) return foreign(path, 'it was not archived with its part');
  return note(path, 'a process was killed while it wrote it', 'remove it');
}
