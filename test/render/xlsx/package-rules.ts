import { elementsOf, parseXml, type XmlElement } from './xml-elements.ts';

/**
 * The rules that a workbook must follow for Excel to open it without repairs, as far as we use them: ECMA-376 part 1,
 * and part 2 for the package. Each rule throws nothing and gives the sentences of what breaks it.
 */
export function brokenRules(parts: ReadonlyMap<string, string>): string[] {
  const roots = new Map([...parts].map(([name, xml]) => [name.replace(/^\//u, ''), parseXml(xml)]));
  return [
    ...brokenOrder(roots),
    ...brokenTypes(roots),
    ...brokenRelations(roots),
    ...brokenCells(roots),
    ...brokenNames(roots),
    ...brokenTables(roots),
  ];
}

type Roots = ReadonlyMap<string, XmlElement>;

const none: XmlElement = { name: '', attributes: {}, children: [], text: '' };

function unless(holds: boolean, sentence: string): string[] {
  return holds ? [] : [sentence];
}

/** Tells whether no value comes twice. */
function isSet(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
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

function brokenOrder(roots: Roots): string[] {
  return [...roots].flatMap(([part, root]) =>
    everyElement(root).flatMap((element) => {
      const isMark = element.name === 'c:marker' && element.children.length === 0;
      const order = isMark ? undefined : orders[element.name]?.split(' ');
      if (order === undefined) return [];
      const places = element.children.map(({ name }) =>
        order.indexOf(free.has(name) ? 'c:valAx' : name),
      );
      const isSorted = places.every(
        (place, index) => place !== -1 && place >= (places[index - 1] ?? 0),
      );
      const names = element.children.map(({ name }) => name).join(' ');
      return unless(isSorted, `${part}: <${element.name}> has ${names}`);
    }),
  );
}

/** Part 2, 10.1.2: every part has one content type, and every override refers to a part. */
function brokenTypes(roots: Roots): string[] {
  const types = roots.get('[Content_Types].xml');
  if (!types) return ['no [Content_Types].xml'];
  const overrides = elementsOf(types, 'Override').map(({ attributes }) =>
    String(attributes['PartName']).slice(1),
  );
  const parts = [...roots.keys()].filter(
    (name) => !name.endsWith('.rels') && name !== '[Content_Types].xml',
  );
  return [
    ...unless(isSet(overrides), 'a part has two content types'),
    ...overrides
      .filter((name) => !roots.has(name))
      .map((name) => `${name}: a content type without a part`),
    ...parts.filter((name) => !overrides.includes(name)).map((name) => `${name}: no content type`),
  ];
}

/** Part 2, 9.3: ids are unique, targets within the package exist, and each r:id has a relationship. */
function brokenRelations(roots: Roots): string[] {
  return [...roots].flatMap(([part, root]) => {
    const relations = elementsOf(relationsOf(roots, part), 'Relationship').map(
      ({ attributes }) => attributes,
    );
    const ids = relations.map((each) => each['Id']);
    const used = everyElement(root).flatMap(({ attributes }) => attributes['r:id'] ?? []);
    const inside = relations.filter((each) => each['TargetMode'] !== 'External');
    return [
      ...unless(isSet(ids), `${part}: relationships share an id`),
      ...used.filter((id) => !ids.includes(id)).map((id) => `${part}: nothing is ${id}`),
      ...inside
        .map((each) => resolved(part, each['Target'] ?? ''))
        .filter((target) => !roots.has(target))
        .map((target) => `${part}: ${target} is not there`),
    ];
  });
}

function relationsOf(roots: Roots, part: string): XmlElement {
  const at = part.lastIndexOf('/') + 1;
  const name = `${part.slice(0, at)}_rels/${part.slice(at)}.rels`;
  return roots.get(name) ?? none;
}

function resolved(part: string, target: string): string {
  return new URL(target, `file:///${part}`).pathname.slice(1);
}

/** 18.3.1.4, 18.8.10, 18.4.8: the styles and strings of cells exist; formulas are short and refer to known sheets and names. */
function brokenCells(roots: Roots): string[] {
  const styles = roots.get('xl/styles.xml');
  const xfs = styles ? (elementsOf(styles, 'cellXfs')[0]?.children.length ?? 0) : 0;
  const strings = roots.get('xl/sharedStrings.xml')?.children.length ?? 0;
  const sheets = [...roots].filter(([name]) => name.startsWith('xl/worksheets/sheet'));
  return [
    ...sheets.flatMap(([part, root]) => [
      ...brokenAddresses(part, root),
      ...elementsOf(root, 'c').flatMap((cell) => {
        const told = `${part}: ${cell.attributes['r'] ?? '?'}`;
        const value = Number(cell.children.find(({ name }) => name === 'v')?.text);
        const isString = cell.attributes['t'] === 's';
        return [
          ...unless(Number(cell.attributes['s'] ?? 0) < xfs, `${told} has no style`),
          ...unless(!isString || value < strings, `${told} has no string`),
        ];
      }),
    ]),
    ...(styles ? brokenCounts(styles) : ['no styles']),
    ...[...roots].flatMap(([part, root]) => brokenFormulas(part, root, roots)),
  ];
}

/** 18.3.1.73: rows and cells are in ascending order without duplicates. */
function brokenAddresses(part: string, root: XmlElement): string[] {
  const rows = elementsOf(root, 'row').map(({ attributes }) => Number(attributes['r']));
  const cells = elementsOf(root, 'c').map(({ attributes }) => attributes['r']);
  const ascends = rows.every((row, index) => row > (rows[index - 1] ?? 0));
  return [
    ...unless(ascends, `${part}: rows do not ascend`),
    ...unless(isSet(cells), `${part}: a cell comes twice`),
  ];
}

function brokenCounts(styles: XmlElement): string[] {
  return styles.children
    .filter(
      ({ attributes, children }) =>
        Number(attributes['count'] ?? children.length) !== children.length,
    )
    .map(({ name }) => `styles: ${name} has another count`);
}

function brokenFormulas(part: string, root: XmlElement, roots: Roots): string[] {
  const workbook = roots.get('xl/workbook.xml') ?? none;
  const sheets = elementsOf(workbook, 'sheet').map(({ attributes }) => attributes['name']);
  const names = elementsOf(workbook, 'definedName').map(({ attributes }) => attributes['name']);
  return ['f', 'formula', 'c:f', 'definedName'].flatMap((element) =>
    elementsOf(root, element).flatMap(({ text }) => {
      const bare = text.replace(/"[^"]*"/gu, '');
      const quoted = [...bare.matchAll(/'((?:[^']|'')+)'!/gu)].map(([, name = '']) =>
        name.replaceAll("''", "'"),
      );
      const words =
        bare.replace(/'(?:[^']|'')+'!/gu, '').match(/\b[a-z_][a-z0-9_]*\b(?!\()/gu) ?? [];
      return [
        ...unless(/^[^=][^]{0,8191}$/u.test(text), `${part}: a formula is ${text.slice(0, 60)}`),
        ...quoted
          .filter((name) => !sheets.includes(name))
          .map((name) => `${part}: no sheet ${name}`),
        ...words.filter((name) => !names.includes(name)).map((name) => `${part}: no name ${name}`),
      ];
    }),
  );
}

/** 18.2.5: names are unique in their scope, start with a letter, and are not addresses. */
function brokenNames(roots: Roots): string[] {
  const names = elementsOf(roots.get('xl/workbook.xml') ?? none, 'definedName');
  const keys = names.map(({ attributes }) =>
    `${attributes['name'] ?? ''} ${attributes['localSheetId'] ?? ''}`.toLowerCase(),
  );
  return [
    ...unless(isSet(keys), 'workbook: a name comes twice'),
    ...names
      .map(({ attributes }) => attributes['name'] ?? '')
      .filter((name) => !isName(name))
      .map((name) => `workbook: ${name} cannot be a name`),
  ];
}

function isName(name: string): boolean {
  return /^[A-Za-z_][\w.]*$/u.test(name) && !/^(?:[A-Za-z]{1,3}\d+|[rc])$/iu.test(name);
}

/** 18.5.1.2 and .3: tables have names of their own and a row, and each column has the text of its head. */
function brokenTables(roots: Roots): string[] {
  const strings = roots.get('xl/sharedStrings.xml')?.children ?? [];
  const names: string[] = [];
  return [...roots].flatMap(([part, root]) =>
    elementsOf(relationsOf(roots, part), 'Relationship')
      .filter(({ attributes }) => attributes['Type']?.endsWith('/table'))
      .flatMap(({ attributes }) => {
        const table = roots.get(resolved(part, attributes['Target'] ?? ''));
        const { name = '', ref = '' } = table?.attributes ?? {};
        const [first = 0, last = 0] = (ref.match(/\d+/gu) ?? []).map(Number);
        const columns = elementsOf(table ?? none, 'tableColumn');
        const row = elementsOf(root, 'row').find((each) => each.attributes['r'] === String(first));
        const heads = elementsOf(row ?? none, 'c').map((cell) => {
          const value = elementsOf(cell, 'v')[0]?.text ?? '';
          return cell.attributes['t'] === 's' ? allText(strings[Number(value)]) : value;
        });
        const titles = columns.map((column) => column.attributes['name'] ?? '');
        const isFree = isName(name) && !names.includes(name.toLowerCase());
        names.push(name.toLowerCase());
        const [told, seen] = [titles.join('|'), heads.slice(0, titles.length).join('|')];
        return [
          ...unless(isFree, `${part}: no table can be ${name}`),
          ...unless(last > first, `${part}: ${name} has no row`),
          ...unless(
            isSet(titles.map((title) => title.toLowerCase())),
            `${part}: ${name} repeats a head`,
          ),
          ...unless(told === seen, `${part}: ${name} has other heads: ${told}; ${seen}`),
        ];
      }),
  );
}

function allText(element: XmlElement | undefined): string {
  return element ? element.text + element.children.map(allText).join('') : '';
}

function everyElement(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(everyElement)];
}
