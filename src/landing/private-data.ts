import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../core/errors.ts';
import { archiveFolder, landingFolder, lockFolder, quarantineFolder } from './layout.ts';

/**
 * Closes to others what earlier versions left open in `data_dir`: its folders, and with them all that is in them.
 * The folder itself may be one that its user shares, and stays as it is.
 */
export async function closeDataFolders(dataDir: string): Promise<void> {
  const folders = [
    landingFolder(dataDir),
    archiveFolder(dataDir),
    quarantineFolder(dataDir),
    lockFolder(dataDir),
    ...['budget', 'inbox', 'logs'].map((name) => join(dataDir, name)),
  ];
  for (const folder of folders) await close(folder);
}

async function close(folder: string): Promise<void> {
  try {
    const { mode, uid } = await stat(folder);
    const isOpen = (mode & 0o077) !== 0;
    if (isOpen && uid === process.getuid?.()) await chmod(folder, 0o700);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
}
