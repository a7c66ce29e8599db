import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { once } from '../core/once.ts';
import { dataRoot } from '../core/package-root.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { drawPicture } from './html/chart.ts';
import { pictureStyles } from './html/colors.ts';
import { chartStyles, fontFiles } from './html/page-files.ts';
import { createPageContext } from './html/page-context.ts';
import { shownDocument } from './shown-document.ts';

/** The first chart of a report as a picture for programs that draw no SVG. */
export interface ChartPicture {
  readonly png: Uint8Array;
  /** The width and height in px at which its text has its usual size. */
  readonly width: number;
  readonly height: number;
  /** The finding and the figures in words. */
  readonly text: string;
  /** The name of its section. */
  readonly section: string;
}

/** The picture has three points for each px, so that it stays sharp where it is shown larger, at two for each. */
const zoom = 3;

/**
 * Draws the first chart of the main sections. It has no chart if none can be drawn, or if a name in it has letters that
 * the font lacks, since the picture would leave them out.
 */
export async function chartPicture(document: ReportDocument): Promise<ChartPicture | null> {
  const shown = shownDocument(document);
  const context = createPageContext(shown, [], { ids: '', isPaper: true });
  for (const section of shown.sections.filter(({ isAppendix }) => !isAppendix)) {
    const drawn = drawPicture(section, context);
    if (drawn === null) continue;
    const { width, height, label, marks } = drawn;
    if (!/^[\u0000-\u04ff\u1e00-\u1eff\u2000-\u22ff\u25a0-\u25ff]*$/u.test(marks)) return null;
    const styles = pictureStyles(chartStyles, document.brand?.color ?? null);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter" font-size="13"><style>${styles}</style><rect width="${width}" height="${height}" fill="#ffffff"/>${marks}</svg>`;
    const png = await rasterized(svg);
    return { png, width, height, text: label, section: section.name };
  }
  return null;
}

async function rasterized(svg: string): Promise<Uint8Array> {
  const { Resvg, fonts } = await engine();
  const font = { fontBuffers: fonts, defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' };
  const drawn = new Resvg(svg, { font, fitTo: { mode: 'zoom', value: zoom } }).render();
  const png = drawn.asPng();
  drawn.free();
  return png;
}

/** Loaded when it is first needed: it is two megabytes of WebAssembly. */
const engine = once(async () => {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  await initWasm(await readFile(wasmFile()));
  const fonts = await Promise.all(fontFiles.map((file) => readFile(file)));
  return { Resvg, fonts };
});

/** The build puts it beside the program. */
function wasmFile(): string {
  const built = join(dataRoot, 'render', 'resvg.wasm');
  if (existsSync(built)) return built;
  return createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
}
