import { type BounceJudgement, type BounceReason, judgement } from './bounce-reasons.ts';

/**
 * The last resort for sentences that no rule knows: what they name, such as a mailbox, and what they say of it, such as that it is unknown.
 * People and programs put the same few words together in thousands of ways, and in many languages.
 */

/** Words as they are compared: without accents, punctuation and case. A star stands for any ending. */
const words = (text: string): readonly string[] => text.split(',').map(prepared);

function prepared(word: string): string {
  const plain = plainOf(word.replace('*', ''));
  if (unspaced.test(word)) return plain.trim();
  return word.trim().endsWith('*') ? plain.trimEnd() : plain;
}

/** Japanese, Chinese and Korean put no spaces between words. */
const unspaced = /[\u3000-\u9fff\uac00-\ud7af]/;

/** With a space around each word. */
const plainOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Turkish has it without a dot, Polish and Danish have letters that are not made of two.
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const mailboxes = words(
  `user,users,userid,user id,username,mailbox,mailboxes,mail box,mailfolder,maildir,inbox,account,recipient,recipients,addressee,address,addresses,
  person,alias,login,email,e mail,customer,home directory,name,
  benutzer*,empfanger*,nutzer*,postfach*,mailkonto,konto,adresse*,emailadresse,utilisateur*,destinataire*,boite,compte,usuario*,destinatari*,buzon,casilla,
  cuenta,direccion,utente,casella,indirizzo,caixa,conta,endereco,gebruiker*,ontvanger*,postbus,adres*,mottagar*,mottaker*,modtager*,anvandar*,bruker*,
  bruger*,brevlada*,postkasse*,vastaanottaja*,kayttaja*,postilaatikko*,uzytkownik*,odbiorc*,skrzynk*,uzivatel*,prijemc*,schrank*,felhasznalo*,cimzett*,
  postafiok*,kullanici*,alici*,адресат*,пользовател*,получател*,ящик*,адрес*,користувач*,ユーザ,宛先,あて先,アドレス,メールボックス,受信者,用户,收件人,
  收信人,邮箱,郵箱,信箱,地址,使用者,帐号,账号,사용자,수신자,메일함,계정,주소`,
);

const missing = words(
  `unknown,not found,wasn t found,was not found,be found,does not exist,doesn t exist,do not exist,don t exist,not exist,no such,not known,not a known,
  registered user,not registered,unregistered,not recognized,not recognised,unrecognized,unrecognised,not valid,no longer valid,invalid,not listed,
  no longer in use,not in use,no longer exists,no longer here,no longer a,no longer at,nonexistent,non existent,is wrong,incorrect,unable to validate,
  unable to find,unable to locate,cannot find,can t find,cannot locate,could not find,couldn t find,do not have this,don t have this,doesn t have a,
  does not have a,no local,no mailbox,no user,no account,no person,not our,not a user,not a local,not local,has moved,has left,mistyped,misspelled,
  there is no,
  unbekannt*,existiert nicht,nicht vorhanden,nicht gefunden,gibt es nicht,ungultig*,inconnu*,n existe pas,introuvable*,invalide*,desconocid*,no existe,
  no encontrad*,no se encontro,inexistente*,sconosciut*,non esiste,non trovat*,desconhecid*,nao existe,nao encontrad*,onbekend*,bestaat niet,
  niet gevonden,okand*,ukjent*,ukendt*,finns inte,finnes ikke,findes ikke,hittades inte,tuntematon*,ei loydy*,ei ole olemassa,nieznan*,nie istnieje,
  nie znaleziono,neznam*,neexistuje,ismeretlen*,nem letezik,bulunamadi*,bilinmeyen,не найден*,не существует,неизвест*,отсутствует,недействит*,
  存在しない,存在しませ,見つかりません,見つからない,見当たりません,不明,不存在,未找到,无此,無此,找不到,查无,없습니다,존재하지,찾을 수`,
);

const ended = words(
  `disabled,deactivated,inactive,inactivity,suspended,closed,terminated,discontinued,has expired,deleted,cancelled,canceled,
  ha expirado,expirado,vencida,expire,scaduta,scaduto,abgelaufen,deaktiviert,gesperrt,geloscht,desactive*,desactivad*,desativad*,disattivat*,uitgeschakeld`,
);

const stores = words(
  'quota,storage,space,disk space,speicher*,speicherplatz,espace,espacio,spazio,espaco,容量,空间,空間,mailbox size,folder',
);
const exhausted = words(
  `is full,mailbox full,box full,inbox full,folder full,over quota,over its quota,over their quota,over his quota,overquota,exceeded,exceeds,exceed,
  out of space,out of disk,no space,not enough,insufficient,over limit,over the limit,too many messages,zuviele,zu viele,ist voll,voll,uberschritten,
  uberfullt,pleine,plein,depasse*,saturee,lleno,llena,excedid*,piena,pieno,superat*,cheia,cheio,excedeu,is vol,overschreden,full t,ar full,er fuld,
  taynna,przekroczon*,przepelnion*,pelna,preplnen*,megtelt,dolu,переполнен*,превышен*,いっぱい,一杯,超過,超え,已满,已滿,超出,가득,초과`,
);

const senders = words(
  `sender,senders,mail from,from address,your domain,your address,return path,reverse path,reverse dns,ptr,helo,absender*,expediteur*,remitente,mittente,
  remetente,afzender,отправител*`,
);
const domains = words(
  'domain,domains,domane,domaine,dominio,hostname,host name,dns entry,mx record,mail server for,домен*,ドメイン,域名',
);
const unresolved = words(
  'unable to resolve,could not resolve,cannot resolve,can t resolve,could not be resolved,not be resolved,has expired,no dns entry',
);

const harmful = words(
  'spam,virus,viruses,malware,phishing,infected,unsolicited,inappropriate,content,banned,prohibited,迷惑メール,垃圾',
);
const forbidden = words(
  `access denied,spf,dmarc,dkim,only members,may post,approved list,allowed list,whitelist*,allow list,not permitted,not allowed,not authorized,
  not authorised,not have permission,permission denied,policy,blocked,blacklist*,blocklist*,block list,reputation,unauthenticated,forbidden,relay denied,
  relaying denied,gesperrt,verweigert,refuse*,rechazad*,bloquead*`,
);

const lost = words(
  `timed out,time out,timeout,is down,not available,unavailable,too busy,busy,too many connections,try later,try again later,temporar*,file system,
  filesystem,i o error,internal error,system error,tls negotiation,tls handshake,starttls,retries,unable to contact,could not contact,cannot contact,
  unreachable,not reachable,not responding,no response,not respond,connection closed,connection lost,refused connection,zeituberschreitung,
  nicht erreichbar,delai,injoignable,tiempo de espera,non raggiungibile,niet bereikbaar,недоступ*`,
);

type Meaning = readonly [reason: BounceReason, ...says: readonly (readonly string[])[]];

/** In each sentence the first one of which something of every list is there. */
const meanings: readonly Meaning[] = [
  ['mailbox_full', mailboxes, exhausted],
  ['mailbox_full', stores, exhausted],
  ['sender_refused', senders, missing],
  ['sender_refused', senders, unresolved],
  ['sender_refused', senders, forbidden],
  ['no_such_domain', domains, missing],
  ['no_such_domain', domains, unresolved],
  ['no_such_mailbox', mailboxes, missing],
  ['mailbox_disabled', mailboxes, ended],
  ['message_refused', harmful],
  ['blocked', forbidden],
  ['temporary_failure', lost],
];

const charactersMax = 4_000;
const sentencesMax = 40;
const sentenceEnd = /[.!?;。！？](?=\s|$)|\n\s*\n/;

/**
 * What the first sentence means that says anything. It rests on too little to suppress an address: what would be is to be tried once more.
 */
export function judgeSentence(text: string): BounceJudgement | undefined {
  for (const sentence of text.slice(0, charactersMax).split(sentenceEnd, sentencesMax)) {
    const plain = plainOf(sentence);
    const found = meanings.find(([, ...says]) =>
      says.every((list) => list.some((word) => plain.includes(word))),
    );
    if (!found) continue;
    const judged = judgement(found[0], 'words-of-a-sentence', text);
    return judged.action === 'suppress' ? { ...judged, action: 'retry' } : judged;
  }
  return undefined;
}
