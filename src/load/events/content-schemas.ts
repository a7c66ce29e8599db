import { count, list, number, object, optionalText } from './event-schemas.ts';

const assetSchema = object({
  id: optionalText,
  name: optionalText,
  url: optionalText,
  mimetype: optionalText,
  size: count.nullish(),
  width: count.nullish(),
  height: count.nullish(),
  duration: number.nullish(),
});

const profile = object({
  id: optionalText,
  name: optionalText,
  detail: optionalText,
}).nullish();
const assets = list(assetSchema).nullish();
const tweets = list(object({ copy: optionalText, assets })).nullish();

/** What a post says in its channels. Anything in it may be missing: it is kept as it is. */
export const contentSchemas = {
  linkedIn: object({ profile, copy: optionalText, assets }).nullish(),
  x: object({ profile, tweets }).nullish(),
};
