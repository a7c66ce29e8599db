import {
  DuckDBTimestampTZValue,
  LIST,
  VARCHAR,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
} from '@duckdb/node-api';
import { QueryError } from './warehouse-errors.ts';

/**
 * Bound with its own type: text VARCHAR, whole numbers BIGINT, other numbers DOUBLE, Date TIMESTAMPTZ, arrays VARCHAR[]. Days are text and cast in the SQL (`$from::date`).
 */
type Parameter = string | number | boolean | Date | readonly string[] | null;

/** Parameters by name, without the `$`. A statement takes those that it names and ignores the others. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Runs a statement once, with the parameters that it names. @throws QueryError for one without a value */
export async function runBound(
  statement: DuckDBPreparedStatement,
  params: Parameters,
): Promise<DuckDBMaterializedResult> {
  try {
    for (let index = 1; index <= statement.parameterCount; index += 1) {
      const name = statement.parameterName(index);
      const value = params[name];
      if (value === undefined) throw new QueryError(`the parameter $${name} has no value`);
      bind(statement, index, value);
    }
    return await statement.run();
  } finally {
    statement.destroySync();
  }
}

function bind(statement: DuckDBPreparedStatement, index: number, value: Parameter): void {
  if (value === null) statement.bindNull(index);
  else if (typeof value === 'string') statement.bindVarchar(index, value);
  else if (typeof value === 'boolean') statement.bindBoolean(index, value);
  else if (typeof value === 'number') bindNumber(statement, index, value);
  else if (value instanceof Date) statement.bindTimestampTZ(index, timestampOf(value));
  else statement.bindList(index, value, LIST(VARCHAR));
}

function bindNumber(statement: DuckDBPreparedStatement, index: number, value: number): void {
  if (Number.isSafeInteger(value)) statement.bindBigInt(index, BigInt(value));
  else statement.bindDouble(index, value);
}

function timestampOf(value: Date): DuckDBTimestampTZValue {
  return new DuckDBTimestampTZValue(BigInt(value.getTime()) * 1000n);
}
