import type { LakeConfig } from '../config/config.ts';

/** The names of a lake's shards, in order. */
export function listShards({ shards }: Pick<LakeConfig, 'shards'>): string[] {
  return Array.from({ length: shards }, (_, index) => shardName(index));
}

/**
 * The shard of a workspace, a schema of its own, so that writers of different shards share no table: FNV-1a of the
 * key's UTF-8, modulo the number of shards. It never changes.
 */
export function shardOf(workspace: string, { shards }: Pick<LakeConfig, 'shards'>): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(workspace)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return shardName(hash % shards);
}

function shardName(index: number): string {
  return `s${String(index).padStart(2, '0')}`;
}
