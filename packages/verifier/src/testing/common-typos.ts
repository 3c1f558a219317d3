/** Typing mistakes as they occur in lists of addresses, by the domain that was meant. */
const writtenTypos: Record<string, string> = {
  'gmail.com':
    'gmial.com gmai.com gmal.com gmil.com gamil.com gnail.com gmaul.com gmaill.com gmail.cm gmail.co gmail.om gmail.con gmail.comm gmail.cpm gmail.ocm gmail.cmo gmail.vom gmail.xom gmail.coom gmail.c gmailcom gmailc.om gmai.lcom g-mail.com gmeil.com gimail.com ggmail.com gemail.com gmsil.com gmali.com gmaik.com gmaio.com gmaol.com gmaail.com gmqil.com gmaiil.com gmsail.com gmail.net gmail.org gmail.fr gmail.co.uk gmail.de gmail.com.br gmial.con gmal.con gamil.con gmai.con gmaill.con gmailo.com gmailk.com gmsl.com gamial.com gmakl.com fmail.com hmail.com gmajl.com gmail.come gmail.clm gmail.cim gmail.ccom gmail',
  'yahoo.com':
    'yaho.com yahooo.com yhoo.com yahho.com yhaoo.com yaoo.com yahoo.con yahoo.cm yahoo.co yahoo.om yahoo.comm yahoo.cpm yahoo.ocm yahoocom yahooc.om yaho.con tahoo.com uahoo.com yahoo.vom yahoo.xom yahoi.com yahop.com yahou.com yajoo.com ahoo.com yanoo.com yaboo.com yahoo.coom yahoo.cmo yahoo',
  'hotmail.com':
    'hotmial.com hotmal.com hotmai.com hotmil.com homail.com htomail.com hotmaill.com hotamil.com hotmail.con hotmail.cm hotmail.co hotmail.om hotmail.comm hotmail.cpm hotmailcom hotmailc.om hotmsil.com hotmaul.com hormail.com hitmail.com hptmail.com hotnail.com hotmali.com hotmaik.com hottmail.com hoymail.com hotmaio.com jotmail.com hotmaol.com hotmall.com hotmeil.com otmail.com hotmail.vom hotmail.xom hotmail.cmo hotmial.con hotmal.con rotmail.com hotail.com hotmail',
  'outlook.com':
    'outlok.com outloo.com oulook.com outllok.com outlool.com outlook.con outlook.cm outlook.co outlook.om outlook.comm outlookcom outlookc.om oultook.com outlokk.com outloook.com outlouk.com putlook.com iutlook.com otlook.com outook.com outlook.cpm outlook.vom ourlook.com outlokk.con oitlook.com outlook',
  'icloud.com':
    'iclould.com iclod.com icoud.com icloud.con icloud.cm icloud.co icloud.om icluod.com iclould.con icloude.com iclud.com ilcoud.com icloudcom icloid.com icliud.com uicloud.com iclooud.com icloud.de icloud',
  'aol.com': 'aol.con aol.co aol.cm aol.om aol.comm aolcom aol.cpm aol.vom',
  'live.com': 'live.con live.cm live.comm livecom livr.con liev.com llive.com live.om',
  'msn.com': 'msn.con msn.cm msncom msn.comm',
  'comcast.net': 'comcast.ner comcast.nte comcat.net comast.net comcas.net concast.net comcastnet comcst.net',
  'verizon.net': 'verizon.ner verizn.net verzion.net verison.net verizo.net',
  'sbcglobal.net': 'sbcglobal.com sbcgloabl.net sbcglobl.net sbglobal.net sbcglobal.ner',
  'yahoo.co.uk': 'yaho.co.uk yahooo.co.uk yahoo.couk yahoo.co.ul yahoo.c.uk yahoo.co.u',
  'hotmail.co.uk': 'hotmial.co.uk hotmal.co.uk hotmail.couk hotmail.co.ul hotmil.co.uk',
  'hotmail.fr': 'hotmial.fr hotmal.fr hotmil.fr hotamil.fr',
  'orange.fr': 'ornage.fr orage.fr orangge.fr ornge.fr',
  'wanadoo.fr': 'wanado.fr wandoo.fr wanadooo.fr wannadoo.fr',
  'web.de': 'webde',
  't-online.de': 't-onlin.de tonline.de t-onine.de t-onlien.de',
  'googlemail.com': 'googelmail.com googlmail.com goglemail.com googlemail.con',
  'btinternet.com': 'btinternt.com btinterent.com btinernet.com btinternet.con btinternet.co.uk',
  'libero.it': 'libeo.it libro.it lbero.it liber.it',
  'protonmail.com': 'protonmial.com protnmail.com protonmal.com protonmail.con',
};

const neighbours: Record<string, string> = {
  a: 'sq',
  c: 'xv',
  d: 'sf',
  g: 'fh',
  h: 'gj',
  i: 'uo',
  k: 'jl',
  l: 'k',
  m: 'n',
  n: 'bm',
  o: 'ip',
  r: 'et',
  s: 'ad',
  t: 'ry',
  u: 'yi',
  v: 'cb',
  y: 'tu',
};
const mostUsed = ['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com'];

/** Every omission, doubling, swap and neighbouring key in the name of the most used domains. */
function* systematicTypos(): Generator<{ typed: string; meant: string }> {
  for (const meant of mostUsed) {
    const name = meant.slice(0, meant.indexOf('.'));
    const ending = meant.slice(name.length);
    for (let index = 0; index < name.length; index++) {
      const before = name.slice(0, index);
      const letter = name[index] ?? '';
      const after = name.slice(index + 1);
      yield { typed: before + after + ending, meant };
      yield { typed: before + letter + letter + after + ending, meant };
      for (const other of neighbours[letter] ?? '') yield { typed: before + other + after + ending, meant };
      const next = after[0];
      if (next !== undefined && next !== letter) {
        yield { typed: before + next + letter + after.slice(1) + ending, meant };
      }
    }
  }
}

export const commonTypos = {
  written: Object.entries(writtenTypos).flatMap(([meant, typos]) =>
    typos.split(' ').map((typed) => ({ typed, meant })),
  ),
  systematic: [...systematicTypos()],
};
