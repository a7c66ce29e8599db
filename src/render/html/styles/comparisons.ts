import { css } from './css.ts';

/** Marks of charts that compare groups: lift, shares, stages, and quartiles in a table's rows. */
export const comparisonStyles = css`
  svg text.end {
    text-anchor: end;
  }
  svg text.name {
    font-weight: 600;
  }
  .span,
  .arrow {
    fill: none;
    stroke-width: 2.2;
  }
  .arrow {
    stroke: var(--axis);
    stroke-width: 1;
  }
  .span.rise {
    stroke: var(--bar);
  }
  .span.fall {
    stroke: var(--c2);
  }
  .span.even {
    stroke: var(--ink2);
  }
  .dot.even {
    fill: var(--ink2);
  }
  .dot.rise {
    fill: var(--bar);
  }
  .dot.fall {
    fill: var(--c2);
  }
  .hollow {
    fill: var(--bg);
    stroke: var(--ink2);
    stroke-width: 1.2;
  }
  .s0.part {
    stroke: var(--rule);
  }
  .spread {
    overflow: visible;
    vertical-align: -6px;
  }
  .spread text {
    font-size: 12px;
  }
  .used {
    fill: none;
    stroke: var(--ink);
    stroke-width: 3;
  }
  .all {
    fill: none;
    stroke: var(--ink2);
    stroke-dasharray: 3 3;
  }
  .ratio {
    fill: var(--bg);
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  @media (forced-colors: active) {
    .part,
    .spread rect {
      stroke: CanvasText;
    }
  }
`;
