import type { QueryColumn } from '../../warehouse/database.ts';
import { drawnColumns } from '../chart-columns.ts';
import { canPrint, kindOf } from '../column-kind.ts';
import type { Calculation, SectionDefinition } from '../definition-schema.ts';
import type { ReportFault } from '../report-errors.ts';
import { namesOf, sqlFault, yamlFault, type Checking } from './checking.ts';

/** What in a section of report.yaml does not fit what its SQL gives. @param index among the sections */
export function sectionFaults(checking: Checking, index: number): ReportFault[] {
  const section = checking.definition.sections[index];
  if (section === undefined) return [];
  const drawn = chartFaults(checking, section, index);
  const columns = checking.columns.get(`${section.name}.sql`);
  if (columns === undefined) return drawn;
  return [
    ...repeatedColumns(checking, section, columns),
    ...missingColumns(checking, section, index, columns),
    ...formatFaults(checking, section, index, columns),
    ...Object.entries(section.columns).flatMap(([name, { calculation }]) =>
      calculation === undefined
        ? []
        : calculationFaults(checking, ['sections', index, 'columns', name], calculation, columns),
    ),
    ...totalFaults(checking, section, columns),
    ...drawn,
  ];
}

function repeatedColumns(
  checking: Checking,
  { name: section }: SectionDefinition,
  columns: readonly QueryColumn[],
): ReportFault[] {
  const names = columns.map(({ name }) => name.toLowerCase());
  const repeated = [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
  return repeated.map((name) =>
    sqlFault(checking, `${section}.sql`, null, `gives ${name} twice; name each column once`),
  );
}

function missingColumns(
  checking: Checking,
  section: SectionDefinition,
  index: number,
  columns: readonly QueryColumn[],
): ReportFault[] {
  const named: [readonly PropertyKey[], string][] = [
    ...Object.keys(section.columns).map((name): [PropertyKey[], string] => [
      ['columns', name],
      name,
    ]),
    ...section.key.map((name, at): [PropertyKey[], string] => [['key', at], name]),
  ];
  if (section.sorted_by !== null) named.push([['sorted_by'], section.sorted_by]);
  return named
    .filter(([, name]) => !columns.some((column) => column.name === name))
    .map(([place, name]) =>
      yamlFault(checking, ['sections', index, ...place], missing(section.name, name, columns)),
    );
}

function missing(section: string, name: string, columns: readonly QueryColumn[]): string {
  return `${section}.sql has no column ${name}; it has ${namesOf(columns)}`;
}

function formatFaults(
  checking: Checking,
  section: SectionDefinition,
  index: number,
  columns: readonly QueryColumn[],
): ReportFault[] {
  return columns.flatMap(({ name, type }) => {
    const own = section.columns[name]?.format;
    const format = own ?? checking.definition.columns[name]?.format;
    if (format === undefined || canPrint(format, type)) return [];
    const place = own === undefined ? ['columns', name] : ['sections', index, 'columns', name];
    const told = `${section.name}.sql gives ${type}, which cannot be printed as ${format}`;
    return [yamlFault(checking, [...place, 'format'], told)];
  });
}

/** Whether a calculation can be done with a section's columns. @param place of the column in report.yaml */
export function calculationFaults(
  checking: Checking,
  place: readonly PropertyKey[],
  calculation: Calculation,
  columns: readonly QueryColumn[],
): ReportFault[] {
  const at = [...place, 'calculation'];
  const needsInput = ['priced', 'recounted', 'as_given'].includes(calculation.kind);
  const terms = Object.entries(calculation).filter(
    // a whole stands in another section
    ([part, value]) => part !== 'kind' && part !== 'whole' && typeof value === 'string',
  );
  return [
    ...(needsInput && checking.definition.input === null
      ? [yamlFault(checking, at, `${calculation.kind} needs an input; report.yaml has none`)]
      : []),
    ...terms.flatMap(([part, value]) =>
      numberFaults(checking, [...at, part], String(value), columns),
    ),
  ];
}

function numberFaults(
  checking: Checking,
  place: readonly PropertyKey[],
  name: string,
  columns: readonly QueryColumn[],
): ReportFault[] {
  const column = columns.find((known) => known.name === name);
  if (column === undefined) {
    const told = `the section has no column ${name}; it has ${namesOf(columns)}`;
    return [yamlFault(checking, place, told)];
  }
  if (kindOf(column.type) === 'number') return [];
  return [yamlFault(checking, place, `${name} is ${column.type}; it takes a number`)];
}

/** A total stands in the section's own formats. */
function totalFaults(
  checking: Checking,
  section: SectionDefinition,
  columns: readonly QueryColumn[],
): ReportFault[] {
  const totals = checking.columns.get('_total.sql');
  if (section.total === null || totals === undefined) return [];
  // the label stands in the first one
  return columns.slice(1).flatMap(({ name, type }) => {
    const total = totals.find((known) => known.name === name);
    if (total === undefined || kindOf(total.type) === kindOf(type)) return [];
    const told = `${name} is ${total.type} here, and ${type} in ${section.name}.sql`;
    return [sqlFault(checking, '_total.sql', null, told)];
  });
}

function chartFaults(
  checking: Checking,
  { name: own, chart }: SectionDefinition,
  index: number,
): ReportFault[] {
  const source = chart?.rows ?? own;
  const columns = checking.columns.get(`${source}.sql`);
  if (chart === null || columns === undefined) return [];
  return drawnColumns(chart).flatMap(({ part, column: name, kind }) => {
    const place = ['sections', index, 'chart', part];
    const column = columns.find((known) => known.name === name);
    if (column === undefined) return [yamlFault(checking, place, missing(source, name, columns))];
    if (kind === null || kindOf(column.type) === kind) return [];
    const wanted = kind === 'number' ? 'a number' : 'true or false';
    return [yamlFault(checking, place, `${name} is ${column.type}; the chart takes ${wanted}`)];
  });
}
