import type { ColumnFormat, ReportInput } from '../../report/report-document.ts';

/** The cell that the reader may change, as formulas refer to it. */
export interface InputNames {
  /** Of the cell itself. */
  readonly current: string;
  /** Of the one beside it, with the report's own value. */
  readonly reported: string;
  /** True as long as the figures are the report's own; an emptied cell, a text or 0 is as good as an untouched one. */
  readonly isUntouched: string;
  readonly format: ColumnFormat;
}

export function inputNames({ name, format }: Pick<ReportInput, 'name' | 'format'>): InputNames {
  const current = definedName(name);
  const reported = definedName(`${name}_reported`);
  return {
    current,
    reported,
    isUntouched: `OR(N(${current})<=0,${current}=${reported})`,
    format,
  };
}

/** What Excel would take for the address of a cell, or for a value, gets an underscore. */
function definedName(name: string): string {
  const isAddress = /^(?:[a-z]{1,3}\d+|r\d*(?:c\d*)?|c\d*)$/iu.test(name);
  return isAddress || /^(?:true|false)$/iu.test(name) ? `${name}_` : name;
}
