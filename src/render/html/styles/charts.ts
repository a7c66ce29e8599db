import { css } from './css.ts';

/** Marks take their colours from here, so that a chart is drawn once for light, dark and print. */
export const chartStyles = css`
  figure {
    margin-top: 18px;
    container-type: inline-size;
  }
  figure > svg {
    display: block;
    width: 100%;
    height: auto;
    overflow: visible;
  }
  figure > .wide,
  .key .wide {
    display: none;
  }
  figure > .narrow {
    max-width: 480px;
    margin-inline: auto;
  }
  @container (min-width: 857px) {
    figure > .wide {
      display: block;
    }
    .key .wide {
      display: inline-flex;
    }
    figure > .narrow,
    .key .narrow {
      display: none;
    }
  }
  svg text {
    fill: var(--ink2);
    font-size: 13px;
  }
  svg text.mid {
    text-anchor: middle;
  }
  svg text.soft {
    fill: var(--ink3);
  }
  svg text.bold {
    fill: var(--ink);
    font-weight: 650;
  }
  svg text.low {
    fill: var(--ink);
  }
  svg text.high {
    fill: var(--on);
  }
  .key {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 14px;
    color: var(--ink2);
    font-size: 13px;
  }
  svg + .key {
    margin-top: 12px;
    gap: 4px 28px;
    color: var(--ink3);
  }
  .key span {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .bar {
    fill: var(--bar);
  }
  .tick,
  .halo,
  .axis,
  .grid,
  .hatch,
  .base,
  .trend {
    fill: none;
  }
  .halo {
    stroke: var(--bg);
    stroke-width: 6;
  }
  .tick {
    stroke: var(--ink);
    stroke-width: 2;
  }
  .axis {
    stroke: var(--axis);
  }
  .grid,
  .base {
    stroke: var(--rule);
  }
  .hatch {
    stroke: var(--axis);
    stroke-width: 1;
    opacity: 0.5;
  }
  .frame {
    fill: none;
    stroke: var(--rule);
  }
  .count {
    fill: var(--rule);
  }
  .s0 {
    fill: var(--s0);
  }
  .s1 {
    fill: var(--s1);
  }
  .s2 {
    fill: var(--s2);
  }
  .s3 {
    fill: var(--s3);
  }
  .s4 {
    fill: var(--s4);
  }
  .s5 {
    fill: var(--s5);
  }
  .s6 {
    fill: var(--s6);
  }
  .spark {
    display: block;
    overflow: visible;
    margin-top: 10px;
  }
  .trend {
    stroke: var(--ink3);
    stroke-width: 1.4;
  }
  .lone {
    fill: var(--ink3);
  }
  .peak {
    fill: var(--accent);
  }
  @media (forced-colors: active) {
    [class^='s'][d],
    .bar,
    .share rect,
    .count {
      stroke: CanvasText;
    }
  }
`;
