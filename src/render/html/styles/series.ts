import { css } from './css.ts';

/** Lines, dots, small multiples and bands; a category is a colour, a dash and a shape. */
export const seriesStyles = css`
  svg text.end {
    text-anchor: end;
  }
  svg text.strong {
    font-weight: 650;
  }
  svg text.big {
    fill: var(--ink);
    font-size: 22px;
    font-weight: 650;
  }
  svg text.bidi {
    unicode-bidi: plaintext;
  }
  .young {
    stroke: var(--bar);
  }
  .hit {
    fill: transparent;
  }
  .thin {
    stroke-width: 1;
  }
  .c1 {
    --c: var(--c1);
    --t: var(--accent);
  }
  .c2 {
    --c: var(--c2);
    --t: var(--t2);
    --d: 7 3;
  }
  .c3 {
    --c: var(--c3);
    --t: var(--c3);
    --d: 2 3;
  }
  .c4 {
    --c: var(--c4);
    --t: var(--t4);
    --d: 9 3 2 3;
  }
  .c5 {
    --c: var(--c5);
    --t: var(--c5);
    --d: 12 4;
  }
  .c6 {
    --c: var(--c6);
    --t: var(--ink3);
  }
  .line {
    fill: none;
    stroke: var(--c);
    stroke-width: 2.2;
    stroke-linejoin: round;
    stroke-dasharray: var(--d, none);
  }
  .line.c6 {
    stroke-width: 1.4;
  }
  .line.before {
    stroke: var(--ink);
    stroke-width: 2;
    stroke-dasharray: 5 3;
  }
  .point {
    fill: none;
    stroke: var(--c);
    stroke-width: 4.4;
    stroke-linecap: round;
  }
  .point.before {
    stroke: var(--ink);
    stroke-width: 3;
  }
  .mark {
    fill: var(--c);
  }
  svg text.tone {
    fill: var(--t);
  }
  .leader {
    fill: none;
    stroke: var(--axis);
    stroke-dasharray: 1 3;
  }
  .drop {
    fill: none;
    stroke: var(--ink);
    stroke-dasharray: 2 3;
  }
  .drop.solid {
    stroke-dasharray: none;
    stroke-width: 1.6;
  }
  .dots {
    fill: none;
    stroke: var(--s3);
    stroke-linecap: round;
  }
  .dots.top {
    stroke: var(--bar);
  }
  .break {
    fill: none;
    stroke: var(--bg);
    stroke-width: 2;
  }
  .used {
    fill: none;
    stroke: var(--ink);
    stroke-width: 3;
  }
  @media (forced-colors: active) {
    .dots {
      stroke: CanvasText;
    }
  }
`;
