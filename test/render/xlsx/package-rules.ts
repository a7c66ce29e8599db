import { elementsOf, parseXml, type XmlElement } from './xml-elements.ts';

type Roots = ReadonlyMap<string, XmlElement>;
/** Notes the sentence when a rule does not hold. */
type Rule = (holds: boolean, sentence: string) => void;

/**
 * The rules that a workbook must follow for Excel to open it without repairs, as far as we use them: ECMA-376 part 1,
 * and part 2 for the package. Returns a sentence for whatever breaks one.
 */
export function brokenRules(parts: ReadonlyMap<string, string>): string[] {
  const roots = new Map([...parts].map(([name, xml]) => [name.replace(/^\//u, ''), parseXml(xml)]));
  const broken: string[] = [];
  const rule: Rule = (holds, sentence) => {
    if (!holds) broken.push(sentence);
  };
  checkTypes(roots, rule);
  checkNames(roots, rule);
  checkCounts(roots, rule);
  const tables = new Set<string>();
  for (const [part, root] of roots) {
    const told: Rule = (holds, sentence) => rule(holds, `${part}: ${sentence}`);
    for (const element of everyElement(root)) checkOrder(element, told);
    checkRelations(roots, part, told);
    if (part.startsWith('xl/worksheets/sheet')) checkCells(roots, root, told);
    checkFormulas(roots, root, told);
    checkTables(roots, part, tables, told);
  }
  return broken;
}

/** The order of children by element: 18.3.1.99, 18.2.27, 18.8.39, 20.5.2.24 and .25, 21.2.2.27, .29, .145 and the charts' own. */
const orders: Readonly<Record<string, string>> = {
  worksheet:
    'sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetProtection autoFilter mergeCells conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks ignoredErrors drawing legacyDrawing tableParts extLst',
  table: 'autoFilter tableColumns',
  workbook: 'fileVersion workbookPr bookViews sheets definedNames calcPr',
  styleSheet:
    'numFmts fonts fills borders cellStyleXfs cellXfs cellStyles dxfs tableStyles colors extLst',
  c: 'f v is',
  cfRule: 'formula colorScale dataBar iconSet extLst',
  'xdr:oneCellAnchor': 'xdr:from xdr:ext xdr:graphicFrame xdr:clientData',
  'xdr:graphicFrame': 'xdr:nvGraphicFramePr xdr:xfrm a:graphic',
  'c:chartSpace':
    'c:date1904 c:lang c:roundedCorners c:style c:chart c:spPr c:txPr c:printSettings',
  'c:chart': 'c:title c:autoTitleDeleted c:plotArea c:legend c:plotVisOnly c:dispBlanksAs',
  'c:plotArea': 'c:layout c:barChart c:lineChart c:scatterChart c:valAx c:catAx c:spPr',
  'c:barChart':
    'c:barDir c:grouping c:varyColors c:ser c:dLbls c:gapWidth c:overlap c:serLines c:axId',
  'c:lineChart':
    'c:grouping c:varyColors c:ser c:dLbls c:dropLines c:hiLowLines c:upDownBars c:marker c:smooth c:axId',
  'c:scatterChart': 'c:scatterStyle c:varyColors c:ser c:dLbls c:axId',
  'c:ser':
    'c:idx c:order c:tx c:spPr c:invertIfNegative c:marker c:dPt c:dLbls c:trendline c:errBars c:cat c:val c:xVal c:yVal c:smooth',
  'c:marker': 'c:symbol c:size c:spPr',
  'c:catAx':
    'c:axId c:scaling c:delete c:axPos c:majorGridlines c:title c:numFmt c:majorTickMark c:minorTickMark c:tickLblPos c:spPr c:txPr c:crossAx c:crosses c:auto c:lblAlgn c:lblOffset c:noMultiLvlLbl',
  'c:valAx':
    'c:axId c:scaling c:delete c:axPos c:majorGridlines c:title c:numFmt c:majorTickMark c:minorTickMark c:tickLblPos c:spPr c:txPr c:crossAx c:crosses c:crossBetween c:majorUnit',
  'c:scaling': 'c:logBase c:orientation c:max c:min',
  'c:numCache': 'c:formatCode c:ptCount c:pt',
  'c:strCache': 'c:ptCount c:pt',
  'c:legend': 'c:legendPos c:legendEntry c:layout c:overlay c:spPr c:txPr',
};
/** Axes may come in any order. */
const free = new Set(['c:valAx', 'c:catAx']);

function checkOrder({ name, children }: XmlElement, rule: Rule): void {
  const isMark = name === 'c:marker' && children.length === 0;
  const order = orders[name]?.split(' ');
  if (isMark || order === undefined) return;
  const positions = children.map((child) =>
    order.indexOf(free.has(child.name) ? 'c:valAx' : child.name),
  );
  const isSorted = positions.every(
    (position, index) => position !== -1 && position >= (positions[index - 1] ?? 0),
  );
  rule(isSorted, `<${name}> has ${children.map((child) => child.name).join(' ')}`);
}

/** Part 2, 10.1.2: every part has one content type, and every override refers to a part. */
function checkTypes(roots: Roots, rule: Rule): void {
  const overrides = elementsIn(roots.get('[Content_Types].xml'), 'Override').map(({ attributes }) =>
    String(attributes['PartName']).slice(1),
  );
  const typed = [...roots.keys()].filter((name) => !/\.rels$|^\[Content_Types\]/u.test(name));
  rule(isSet(overrides), 'a part has two content types');
  for (const name of overrides) rule(roots.has(name), `${name}: a content type without a part`);
  for (const name of typed) rule(overrides.includes(name), `${name}: no content type`);
}

/** Part 2, 9.3: ids are unique, targets within the package exist, and each r:id has a relationship. */
function checkRelations(roots: Roots, part: string, rule: Rule): void {
  const relations = relationsOf(roots, part);
  const ids = relations.map((each) => each['Id']);
  rule(isSet(ids), 'relationships share an id');
  for (const { attributes } of everyElement(roots.get(part))) {
    const used = attributes['r:id'];
    rule(used === undefined || ids.includes(used), `nothing is ${used}`);
  }
  for (const each of relations.filter(({ TargetMode }) => TargetMode !== 'External')) {
    const target = resolved(part, each['Target']);
    rule(roots.has(target), `${target} is not there`);
  }
}

function relationsOf(roots: Roots, part: string): XmlElement['attributes'][] {
  const at = part.lastIndexOf('/') + 1;
  const own = roots.get(`${part.slice(0, at)}_rels/${part.slice(at)}.rels`);
  return elementsIn(own, 'Relationship').map(({ attributes }) => attributes);
}

function resolved(part: string, target = ''): string {
  return new URL(target, `file:///${part}`).pathname.slice(1);
}

/** 18.3.1.4, 18.3.1.73, 18.8.10, 18.4.8: rows ascend, no cell comes twice, and the styles and strings of cells exist. */
function checkCells(roots: Roots, sheet: XmlElement, rule: Rule): void {
  const xfs = elementsIn(roots.get('xl/styles.xml'), 'cellXfs')[0]?.children.length ?? 0;
  const strings = roots.get('xl/sharedStrings.xml')?.children.length ?? 0;
  const rows = elementsOf(sheet, 'row').map(({ attributes }) => Number(attributes['r']));
  const cells = elementsOf(sheet, 'c');
  const ascends = rows.every((row, index) => row > (rows[index - 1] ?? 0));
  rule(ascends, 'rows do not ascend');
  rule(isSet(cells.map(({ attributes }) => attributes['r'])), 'a cell comes twice');
  for (const { attributes, children } of cells) {
    const value = Number(children.find(({ name }) => name === 'v')?.text);
    rule(Number(attributes['s'] ?? 0) < xfs, `${attributes['r']} has no style`);
    rule(attributes['t'] !== 's' || value < strings, `${attributes['r']} has no string`);
  }
}

function checkCounts(roots: Roots, rule: Rule): void {
  const styles = roots.get('xl/styles.xml');
  rule(styles !== undefined, 'no styles');
  for (const { name, attributes, children } of styles?.children ?? []) {
    const count = Number(attributes['count'] ?? children.length);
    rule(count === children.length, `styles: ${name} has another count`);
  }
}

/** Formulas are short and refer to known sheets and names. */
function checkFormulas(roots: Roots, root: XmlElement, rule: Rule): void {
  const workbook = roots.get('xl/workbook.xml');
  const [sheets = [], names = []] = ['sheet', 'definedName'].map((element) =>
    elementsIn(workbook, element).map(({ attributes }) => attributes['name']),
  );
  const formulas = ['f', 'formula', 'c:f', 'definedName'].flatMap((name) => elementsOf(root, name));
  for (const { text } of formulas) {
    const bare = text.replace(/"[^"]*"/gu, '');
    const quoted = /'((?:[^']|'')+)'!/gu;
    const words = bare.replace(quoted, '').match(/\b[a-z_][a-z0-9_]*\b(?!\()/gu) ?? [];
    rule(/^[^=][^]{0,8191}$/u.test(text), `a formula is ${text.slice(0, 60)}`);
    for (const [, sheet = ''] of bare.matchAll(quoted))
      rule(sheets.includes(sheet.replaceAll("''", "'")), `no sheet ${sheet}`);
    for (const name of words) rule(names.includes(name), `no name ${name}`);
  }
}

/** 18.2.5: names are unique in their scope, start with a letter, and are not addresses. */
function checkNames(roots: Roots, rule: Rule): void {
  const names = elementsIn(roots.get('xl/workbook.xml'), 'definedName').map(
    ({ attributes: { name = '', localSheetId = '' } }) => ({ name, localSheetId }),
  );
  const keys = names.map(({ name, localSheetId }) => `${name} ${localSheetId}`.toLowerCase());
  rule(isSet(keys), 'workbook: a name comes twice');
  for (const { name } of names) rule(isName(name), `workbook: ${name} cannot be a name`);
}

function isName(name: string): boolean {
  return /^[A-Za-z_][\w.]*$/u.test(name) && !/^(?:[A-Za-z]{1,3}\d+|[rc])$/iu.test(name);
}

/**
 * 18.5.1.2 and .3: tables have names of their own and a row, and each column has the text of its head.
 * @param taken the names of the tables before these, to which these are added
 */
function checkTables(roots: Roots, part: string, taken: Set<string>, rule: Rule): void {
  const strings = roots.get('xl/sharedStrings.xml')?.children ?? [];
  for (const relation of relationsOf(roots, part)) {
    if (!relation['Type']?.endsWith('/table')) continue;
    const table = roots.get(resolved(part, relation['Target']));
    const { name = '', ref = '' } = table?.attributes ?? {};
    const [first = 0, last = 0] = (ref.match(/\d+/gu) ?? []).map(Number);
    const row = elementsIn(roots.get(part), 'row').find(
      ({ attributes }) => attributes['r'] === String(first),
    );
    const heads = elementsIn(row, 'c').map((cell) => {
      const value = elementsOf(cell, 'v')[0]?.text ?? '';
      return cell.attributes['t'] === 's' ? allText(strings[Number(value)]) : value;
    });
    const titles = elementsIn(table, 'tableColumn').map(
      ({ attributes }) => attributes['name'] ?? '',
    );
    const [told, seen] = [titles.join('|'), heads.slice(0, titles.length).join('|')];
    rule(isName(name) && !taken.has(name.toLowerCase()), `no table can be ${name}`);
    rule(last > first, `${name} has no row`);
    rule(isSet(titles.map((title) => title.toLowerCase())), `${name} repeats a head`);
    rule(told === seen, `${name} has other heads: ${told}; ${seen}`);
    taken.add(name.toLowerCase());
  }
}

function allText(element: XmlElement | undefined): string {
  return element ? element.text + element.children.map(allText).join('') : '';
}

function everyElement(element: XmlElement | undefined): XmlElement[] {
  return element ? [element, ...element.children.flatMap(everyElement)] : [];
}

function elementsIn(element: XmlElement | undefined, name: string): XmlElement[] {
  return element ? elementsOf(element, name) : [];
}

/** Tells whether no value comes twice. */
function isSet(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}
