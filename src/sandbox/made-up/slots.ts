import { integerBetween, pick, sample, type Random } from './random.ts';

const places = [
  'Halden',
  'Moss',
  'Sarpsborg',
  'Fredrikstad',
  'Drøbak',
  'Askim',
  'Rakkestad',
  'Mysen',
  'Larvik',
  'Tønsberg',
  'Horten',
  'Kragerø',
  'Risør',
  'Arendal',
  'Flekkefjord',
  'Ålesund',
  'Molde',
  'Røros',
] as const;

const people = [
  'Ingrid',
  'Jonas',
  'Leila',
  'Mateo',
  'Nora',
  'Oskar',
  'Priya',
  'Selma',
  'Torbjørn',
  'Zofia',
  'Åse',
  'Daniel',
] as const;

export type Slots = Readonly<Record<string, string>>;

const thousands = new Intl.NumberFormat('en-US');

/** What the slots of one post hold. */
export function drawSlots(year: number, random: Random): Slots {
  const [place = '', other = ''] = sample(places, 2, random);
  return {
    place,
    other,
    person: pick(people, random),
    n: String(integerBetween(3, 48, random)),
    big: thousands.format(integerBetween(12, 98, random) * 100),
    pct: String(integerBetween(4, 38, random)),
    minutes: String(integerBetween(9, 55, random)),
    year: String(year),
  };
}

/** A word in braces that is no slot stays as it is. */
export function fillSlots(text: string, slots: Slots): string {
  return text.replace(/\{(\w+)\}/g, (braced, name: string) => slots[name] ?? braced);
}
