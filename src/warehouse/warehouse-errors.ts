import { PostledgerError, UnreachableError } from '../core/errors.ts';

/** A statement that DuckDB refused or could not finish; its message is DuckDB's. */
export class QueryError extends PostledgerError {
  readonly code = 'QUERY';
  readonly recovery = 'fix-input';
  /** Bytes of the SQL's UTF-8 before what is wrong; null: DuckDB does not say, or was not asked to. */
  readonly position: number | null;

  constructor(message: string, options: ErrorOptions & { position?: number | null } = {}) {
    super(message, options);
    this.position = options.position ?? null;
  }
}

/** Nothing has been loaded yet. */
export class WarehouseMissingError extends PostledgerError {
  readonly code = 'WAREHOUSE_MISSING';
  readonly recovery = 'fix-input';
}

/** The configured path holds something that is no DuckDB file, or none that this version can read. */
export class WarehouseFileError extends PostledgerError {
  readonly code = 'WAREHOUSE_FILE';
  readonly recovery = 'fix-input';
}

/** The published file is one of DuckDB's, and parts of it are not what was written. */
export class WarehouseDamagedError extends PostledgerError {
  readonly code = 'WAREHOUSE_DAMAGED';
  readonly recovery = 'abort';
}

/** The machine refused what DuckDB needed: room, memory, the right to a file. No statement is to blame. */
export class WarehouseMachineError extends PostledgerError {
  readonly code = 'WAREHOUSE_MACHINE';
  readonly recovery = 'retry';
}

/** The warehouse's schema is not the one that this version of the program makes. */
export class WarehouseSchemaError extends PostledgerError {
  readonly code = 'WAREHOUSE_SCHEMA';
  readonly recovery = 'abort';
}

/** Something was lost, doubled or altered on its way: the load is rolled back and the published file stays as it was. */
export class WarehouseCheckError extends PostledgerError {
  readonly code = 'WAREHOUSE_CHECK';
  readonly recovery = 'abort';

  /** @param finding what is wrong, a sentence without its end */
  constructor(finding: string) {
    super(
      `${finding}. Nothing was published: the warehouse is as it was, and the next load tries again. ` +
        '`postledger rebuild --check` compares the warehouse with the raw store, and `postledger rebuild` ' +
        'builds it from there; if that fails too, please report this message',
    );
  }
}

/** The lake, its catalog or its storage cannot be reached, or refuses what is asked of it. */
export class LakeError extends UnreachableError {
  readonly code = 'WAREHOUSE_LAKE';
}

/** The lake's catalog cannot be reached; of a COMMIT that is under way nobody knows the outcome. */
export class CatalogLostError extends UnreachableError {
  readonly code = 'WAREHOUSE_CATALOG';
}

/** A load was overtaken: its process stood still, or lost the catalog, for longer than its lease. */
export class FencedError extends UnreachableError {
  readonly code = 'FENCED';

  constructor(shard: string) {
    super(
      `another machine has loaded into the shard ${shard} meanwhile; nothing was changed, run it again`,
    );
  }
}
