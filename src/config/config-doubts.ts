import { join } from 'node:path';
import { z } from 'zod';
import type { Day } from '../core/calendar.ts';
import { isLikelyCut } from '../core/yaml-source.ts';
import { firstAskedDays } from './asked-days.ts';
import { formatProblem } from './config-error.ts';
import type { Config } from './config.ts';
import { schemasAt } from './jobs-schema.ts';
import { readSource } from './load-config.ts';
import { readEnvFile } from './variables.ts';

/** Jobs run without these secrets: reports wait, and no notification is sent. */
export function unsetSecretDoubts({ mail, s3, notify, review, jobs }: Config): string[] {
  const login = mail?.login;
  const secrets = [
    ...(login ? ['password' in login ? login.password : login.clientSecret] : []),
    ...(s3 ? [s3.accessKeyId, s3.secretAccessKey] : []),
    ...notify.flatMap(({ to }) => ('post' in to ? [to.post] : [])),
    ...[...jobs.values()].flatMap(({ ping }) => ping ?? []),
    ...(review ? [review.secret] : []),
  ];
  return secrets
    .filter(({ isSet }) => !isSet)
    .map(
      ({ origin, variable }) =>
        `${origin}: ${variable} is not set; as it is now, nothing is sent there`,
    );
}

/** Nobody owns the host that `init` writes (RFC 2606). */
export function placeholderDoubts({ workspaces }: Config): string[] {
  return [...workspaces.values()]
    .filter(({ baseUrl }) => /(^|\.)example(\.(com|net|org))?$/.test(new URL(baseUrl).hostname))
    .map(
      ({ key, baseUrl }) =>
        `workspaces.${key}.base_url: ${baseUrl} is the placeholder that init writes; put the address of your workspace's API there`,
    );
}

/** Warns of posts that are older than the first prices of their list, so that they get no EMV from it. */
export function priceDoubts(config: Config, today: Day): string[] {
  const { prices, workspaces, clients, jobs } = config;
  const asked = firstAskedDays(config, today);
  const reports = [...jobs.values()].flatMap((job) =>
    job.reports.map(({ client, prices: list }) => [list, (client ?? job).profiles] as const),
  );
  const used = [
    ...[...workspaces.values()].flatMap(({ profiles }) =>
      profiles.map((profile) => [profile.prices, [profile]] as const),
    ),
    ...[...clients.values()].map(({ prices: list, profiles }) => [list, profiles] as const),
    ...reports,
  ];
  return [...prices].flatMap(([name, { editions }]) => {
    const begin = editions[0]?.from ?? null;
    const days = used
      .filter(([list]) => list === name)
      .flatMap(([, profiles]) =>
        profiles.flatMap(({ workspace, id }) => asked.get(`${workspace}/${id}`) ?? []),
      )
      .sort();
    const [first] = days;
    if (begin === null || first === undefined || first >= begin) return [];
    return [
      `prices.${name}: its first prices are from ${begin}, and posts from ${first} on are read; those in between get no EMV from it: give it prices from ${first}, or leave out from`,
    ];
  });
}

/** Finds texts without quotes of which a `#` most likely cut off the end, in jobs.yaml and in `.env`. */
export async function cutTextDoubts({ file, folder }: Config): Promise<string[]> {
  const remedy = 'put it in quotes, together with the # where that belongs to it';
  const source = await readSource(file);
  const ofConfig = source
    .cutTexts()
    // a longer text that its key refuses was not meant
    .filter(({ path, text, rest }) =>
      schemasAt(path).some((schema) => z.safeParse(schema, text + rest).success),
    )
    .map(({ path, text }) => {
      const message = `ends at the # of its line, as ${JSON.stringify(text)}; ${remedy}`;
      return formatProblem(file, { path, line: source.lineOf(path), message });
    });
  const envFile = join(folder, '.env');
  const ofVariables = (await readEnvFile(envFile))
    .filter(isLikelyCut)
    .map(({ name, line }) => `${envFile}:${line}: the value of ${name} ends at a #; ${remedy}`);
  return [...ofConfig, ...ofVariables];
}
