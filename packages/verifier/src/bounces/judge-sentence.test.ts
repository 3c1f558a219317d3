import { describe, expect, it } from 'vitest';
import { explainMail } from './explain-mail.ts';
import { judgeSentence } from './judge-sentence.ts';
import { deliveryReport, textReport } from './testing/mails.ts';

// Sentences as people and programs write them, none of which is a phrase that some rule knows.
const sentences: readonly (readonly [reason: string, ...sentences: string[]])[] = [
  [
    'mailbox_full',
    'The user has run out of space',
    'Sorry, the mailbox of jane@example.com is over its quota.',
    'The recipient has exceeded their allotted disk space',
    'not enough free space in mailbox',
    'Das Postfach ist voll.',
    'Benutzer hat zuviele Mails auf dem Server',
    'Boîte aux lettres pleine',
    'El buzón está lleno',
    'La casella del destinatario è piena',
    'A caixa postal do destinatário está cheia',
    'Postilaatikko täynnä',
    'Skrzynka odbiorcza jest przepełniona',
    '邮箱空间已满',
  ],
  [
    'no_such_mailbox',
    "No local mailbox for 'jane' here",
    'We do not have this user.',
    'unable to validate recipient',
    'This address is no longer in use.',
    'jane is not a registered user of this gateway',
    'User has moved to jane@other.example',
    'This recipient is no longer a customer',
    'Unable to find home directory for user',
    "This user doesn't have a mailbox here",
    'Your e-mail did not reach the recipient, because the address is wrong',
    'Destinatario desconocido',
    'Usuário não encontrado',
    'Postfach nicht vorhanden',
    'Адресат не найден',
    'Użytkownik nieznany',
    'Okänd mottagare',
    'Ukjent bruker',
    'Tuntematon vastaanottaja',
    'Neznámý uživatel',
    'ismeretlen felhasználó',
    'kullanıcı bulunamadı',
    '宛先ユーザーが存在しません',
    '사용자가 없습니다',
  ],
  ['mailbox_disabled', "The recipient's account has expired", 'Das Konto wurde gesperrt', 'Mailbox closed'],
  ['no_such_domain', 'Domain unbekannt', 'The domain has expired', 'Unable to resolve domain'],
  ['sender_refused', 'The domain of the sender could not be resolved', 'Absender unbekannt'],
  ['message_refused', 'The attachment is a banned file', 'This looks like phishing'],
  ['blocked', 'Access denied', 'Only members of the list may post', 'DMARC policy reject'],
  [
    'temporary_failure',
    'The host is down.',
    'The system is too busy',
    'file system error',
    'Unable to contact the mail server for 5 days',
    'Zeitüberschreitung bei der Verbindung',
  ],
];

describe('judgeSentence', () => {
  it.each(sentences.flatMap(([reason, ...all]) => all.map((sentence) => [sentence, reason] as const)))(
    'takes "%s" for %s, and suppresses nobody by it',
    (sentence, reason) => {
      expect(judgeSentence(sentence)).toMatchObject({ reason, rule: 'words-of-a-sentence' });
      expect(judgeSentence(sentence)?.action).not.toBe('suppress');
    },
  );

  it.each([
    'Your message could not be delivered to one or more recipients.',
    'This is the mail system at host mx.example.com.',
    'For further assistance, please send mail to postmaster.',
    'The message that you sent is attached below.',
    'Delivery to the following recipients failed.',
    'I am sorry to have to inform you of this.',
    '',
  ])('takes nothing from "%s"', (sentence) => {
    expect(judgeSentence(sentence)).toBeUndefined();
  });

  it('reads each sentence alone', () => {
    expect(
      judgeSentence('Your address is attached. The host said nothing that is unknown to us.'),
    ).toBeUndefined();
    expect(judgeSentence('The message was returned. The recipient is unknown.')?.reason).toBe(
      'no_such_mailbox',
    );
  });
});

describe('a report that no rule explains', () => {
  it('is judged by what its sentences name and say, and its recipient is tried once more', () => {
    const mail = textReport('<jane@example.com>:\nPostfach nicht vorhanden\n');
    expect(explainMail(mail)).toMatchObject([
      { recipient: 'jane@example.com', class: 'hard', subject: 'mailbox', action: 'retry' },
    ]);
  });

  it('is judged for each recipient alone', () => {
    const mail = textReport(
      '<jane@example.com>:\nPostfach nicht vorhanden\n\n<max@example.com>:\nDas Postfach ist voll\n',
    );
    expect(explainMail(mail)?.map(({ recipient, class: kind }) => [recipient, kind])).toEqual([
      ['jane@example.com', 'hard'],
      ['max@example.com', 'soft'],
    ]);
  });

  it('failed for a temporary reason if its status says so', () => {
    const mail = deliveryReport([
      { 'Final-Recipient': 'rfc822; jane@example.com', Action: 'failed', Status: '4.0.0' },
    ]);
    expect(explainMail(mail)).toMatchObject([{ class: 'soft', action: 'retry' }]);
  });
});
