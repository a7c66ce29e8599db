import { dirname } from 'node:path';
import type { Config, JobConfig } from '../config/config.ts';
import { warehouseOf } from '../warehouse/warehouse.ts';

/** Returns the folders that the jobs write to. None of them lies in another. */
export function writtenFolders(config: Config, jobs: readonly JobConfig[]): string[] {
  const reports = jobs.flatMap((job) => job.reports);
  const written = [
    config.folder,
    config.dataDir,
    ...[config.metricsFile ?? [], warehouseOf(config.warehouse).files].flat().map(dirname),
    ...reports.map(({ out }) => (out.includes('{') ? dirname(out.replace(/\{.*$/s, '_')) : out)),
  ];
  return [...new Set(written)].filter(
    (folder) => !written.some((other) => other !== folder && isWithin(folder, other)),
  );
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
