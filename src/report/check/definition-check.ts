import type { QueryColumn } from '../../warehouse/database.ts';
import { kindOf } from '../column-kind.ts';
import type { ReportFault } from '../report-errors.ts';
import { namesOf, yamlFault, type Checking } from './checking.ts';
import { namedParameters } from './query-check.ts';
import { calculationFaults } from './section-check.ts';

/** What at the top of report.yaml does not fit the report's SQL. */
export function definitionFaults(checking: Checking): ReportFault[] {
  return [...unusedParameters(checking), ...sharedColumnFaults(checking), ...inputFaults(checking)];
}

function unusedParameters(checking: Checking): ReportFault[] {
  const { parameters, sql } = checking.definition;
  const used = new Set(
    [...sql.values()].flatMap((text) => namedParameters(text).map(({ name }) => name)),
  );
  return Object.keys(parameters)
    .filter((name) => !used.has(name))
    .map((name) =>
      yamlFault(checking, ['parameters', name], `no SQL file takes $${name}; use or remove it`),
    );
}

/** Columns of the sections, which is only known when the database has taken the SQL of them all. */
function sectionColumns({ definition, columns }: Checking): (readonly QueryColumn[])[] | null {
  const known = definition.sections.map(({ name }) => columns.get(`${name}.sql`));
  return known.every((one) => one !== undefined) ? known : null;
}

function sharedColumnFaults(checking: Checking): ReportFault[] {
  const sections = sectionColumns(checking);
  if (sections === null) return [];
  return Object.entries(checking.definition.columns).flatMap(([name, { calculation }]) => {
    const place = ['columns', name];
    const having = sections.filter((columns) => columns.some((column) => column.name === name));
    if (having.length === 0) return [yamlFault(checking, place, 'no section has this column')];
    if (calculation === undefined) return [];
    // a section that has not all of its terms shows the value alone
    const tried = having.map((columns) => calculationFaults(checking, place, calculation, columns));
    return tried.every((faults) => faults.length > 0) ? (tried[0] ?? []) : [];
  });
}

function inputFaults(checking: Checking): ReportFault[] {
  const { input, sections } = checking.definition;
  if (input === null) return [];
  const section = sections.find(({ name }) => name === input.section);
  if (section?.layout !== 'figures') {
    const told = `${input.section} is no section of layout figures`;
    return [yamlFault(checking, ['input', 'section'], told)];
  }
  const columns = checking.columns.get(`${section.name}.sql`);
  if (columns === undefined) return [];
  const place = ['input', 'column'];
  const column = columns.find(({ name }) => name === input.column);
  if (column === undefined) {
    const told = `${section.name}.sql has no column ${input.column}; it has ${namesOf(columns)}`;
    return [yamlFault(checking, place, told)];
  }
  if (kindOf(column.type) === 'number') return [];
  return [yamlFault(checking, place, `${column.name} is ${column.type}; it takes a number`)];
}
