import { kindOf } from '../column-kind.ts';
import { readCards } from '../report-cards.ts';
import type { FigurePlace } from '../report-document.ts';
import { ReportDefinitionError, ReportQueryError, type ReportFault } from '../report-errors.ts';
import { resolveSetValues } from '../set-values.ts';
import { namesOf, sqlFault, type Checking } from './checking.ts';

const file = '_cards.sql';
const needed = ['label', 'format', 'value', 'previous', 'trend', 'note'];

/** What is wrong with a report's cards: their columns, and, of those that there are, what they hold. */
export async function cardFaults(checking: Checking): Promise<ReportFault[]> {
  const columns = checking.columns.get(file);
  if (columns === undefined) return [];
  const missing = needed.filter((name) => !columns.some((column) => column.name === name));
  if (missing.length > 0) {
    const told = `there is no column ${missing.join(', nor ')}; it has ${namesOf(columns)}`;
    return [sqlFault(checking, file, null, told)];
  }
  return heldFaults(checking);
}

async function heldFaults(checking: Checking): Promise<ReportFault[]> {
  const { definition, session } = checking;
  const params = resolveSetValues(definition, {});
  try {
    const cards = await readCards({ database: session.database, definition, file, params });
    const places = cards.flatMap(({ label, cell, previousCell }) =>
      [cell, previousCell].flatMap((place) => (place === null ? [] : [{ label, place }])),
    );
    return places.flatMap(({ label, place }) => placeFaults(checking, label, place));
  } catch (error) {
    if (!(error instanceof ReportDefinitionError || error instanceof ReportQueryError)) throw error;
    return [sqlFault(checking, file, null, error.message.split(`${file}: `).at(-1) ?? '')];
  }
}

function placeFaults(checking: Checking, label: string, place: FigurePlace): ReportFault[] {
  const { section, column: name } = place;
  const columns = checking.columns.get(`${section}.sql`);
  const isFigures = checking.definition.sections.some(
    (known) => known.name === section && known.layout === 'figures',
  );
  const where = `the card ${label} refers to ${section}.${name}`;
  if (!isFigures) {
    return [sqlFault(checking, file, null, `${where}; there is no such section of layout figures`)];
  }
  const column = columns?.find((known) => known.name === name);
  if (columns === undefined || (column !== undefined && kindOf(column.type) === 'number'))
    return [];
  const told = column === undefined ? `it has ${namesOf(columns)}` : `that is ${column.type}`;
  return [sqlFault(checking, file, null, `${where}; ${told}`)];
}
