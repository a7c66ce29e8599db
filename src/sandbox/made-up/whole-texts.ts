/** Whole texts in other languages, two of them written from right to left; slots as in a topic. */
export const otherLanguages: readonly string[] = [
  'I natt gikk strømmen i {place} i {minutes} minutter. Vi beklager, og vi forteller hva som skjedde.\n\nEt tre, en linje, tre dyktige montører.\n\nTakk til alle som ventet tålmodig.\n\n#strøm #beredskap',
  'Vi søker lærlinger i {place} og {other}. Lønn fra første dag, støvler inkludert.\n\nSøk innen den femtende. Spørsmål? Spør {person}.\n\n#lærling #energimontør',
  'Wärmepumpen im Winter: Was {big} Haushalte uns gezeigt haben\n\nDie größte Überraschung war nicht die Pumpe, sondern der Heizkörper.\n\nDie Messwerte stehen offen im Netz – mit Streuung, nicht nur als Mittelwert.\n\n#Wärmepumpe #Stromnetz',
  'Quelle question posent tous les visiteurs ? « Pourquoi ça bourdonne ? »\n\nRéponse courte : 100 hertz. Réponse longue : venez à {place}.\n\n#réseau #portesouvertes',
  'Cien años de red eléctrica en {place}. ¿Y los próximos cien?\n\nEmpezamos por escuchar: {n} vecinos, {n} preguntas, ninguna fácil.\n\n#energía #redes',
  'Od {n} lat w zawodzie, a wciąż pierwsza na słupie. Dziękujemy, {person}!\n\n#energetyka #zespół',
  'نحن نعمل على الشبكة الجديدة في {place}.\n\n{n} كيلومترًا من الكابلات، وخطوة واحدة في كل مرة. شكرًا لكل من تحلّى بالصبر.\n\n#طاقة #هندسة',
  'הלילה חזר החשמל ב-{place} תוך {minutes} דקות.\n\nתודה לצוות המשמרת, ותודה על הסבלנות.\n\n#חשמל #תשתיות',
  '{place}の変電所を公開しました。{n}人の子どもたちからの質問が、一番むずかしかったです。\n\nご来場ありがとうございました。\n\n#電力 #地域',
  'Сегодня мы открыли новую линию между {place} и {other}. Спасибо всем, кто строил её {n} месяцев.\n\n#энергетика',
];

/**
 * Texts that a person could have written and a spreadsheet, a table, a page or a terminal trips over:
 * leading formula signs, tabs, quotes, markup, pipes, marks of direction, unnormalised letters.
 */
export const oddTexts: readonly string[] = [
  '=Survey: one question, ten seconds, and {place} gets a bench',
  '+47 is the code, 115 the number: who to call when the line is on the road',
  '- Trench closed\n- Road open\n- Coffee at the fire station in {place}',
  '@everyone in {place}: the planned outage on Sunday is cancelled',
  '=SUM(of all small things): {n} ideas from colleagues, one of them ours',
  '\tTime and place as always.\r\n\r\n=> {place}, 18:00',
  '"We don\'t need more data", said nobody, ever; "really", never',
  "R&D < 3 % of turnover > last year's 2 % & <b>not</b> enough &amp; yes, we know",
  '| Town | Minutes |\n|---|---|\n| {place} | {minutes} |\n| {other} | {n} |',
  '1️⃣ Plan\n2️⃣ Dig\n3️⃣ Close\n\n  • and no crumbs left\n\n\n…more in the comments',
  '👩🏽‍💻 + 👷🏼‍♂️ = ❤️‍🔥 from 🇳🇴 to 🇫🇷',
  'Cafe\u0301 re\u0301sume\u0301: coffee and CV check in {place}, Thursday',
  'Price \u200f100\u200e kroner, \u202aall included\u202c',
  'Line one\u2028line two\u2029and a third: what the editor kept',
  '0042',
  '</script> is not how we end a story. {person} is.',
  'Great work @[Halden Careers](urn:li:organization:100200300) \\(v2\\) {hashtag|\\#|launch}',
  "'tis the season of planned outages",
];
