import type { Config, WorkspaceConfig } from '../config/config.ts';

/** What of the config reports are made with. */
export type ReportConfig = Pick<
  Config,
  'timezone' | 'currency' | 'locale' | 'brand' | 'cpmBand' | 'warehouse'
> & {
  readonly workspaces: ReadonlyMap<string, Pick<WorkspaceConfig, 'profiles'>>;
};

/** Nothing else of it, such as keys. */
export function reportConfigOf(config: Config): ReportConfig {
  const { timezone, currency, locale, brand, cpmBand, warehouse, workspaces } = config;
  const profiles = [...workspaces].map(([key, workspace]) => {
    return [key, { profiles: workspace.profiles }] as const;
  });
  return { timezone, currency, locale, brand, cpmBand, warehouse, workspaces: new Map(profiles) };
}
