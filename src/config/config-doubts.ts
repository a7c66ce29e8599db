import type { Config } from './config.ts';

/** Jobs run without these secrets: reports wait, and no notification is sent. */
export function unsetSecretDoubts({ mail, s3, notify, jobs }: Config): string[] {
  const login = mail?.login;
  const secrets = [
    ...(login ? ['password' in login ? login.password : login.clientSecret] : []),
    ...(s3 ? [s3.accessKeyId, s3.secretAccessKey] : []),
    ...notify.flatMap(({ to }) => ('post' in to ? [to.post] : [])),
    ...[...jobs.values()].flatMap(({ ping }) => ping ?? []),
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
