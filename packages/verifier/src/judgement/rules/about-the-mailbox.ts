import { bounceHandler, phrases, reacher, readAt, rfc5321, sisimai, zoneMta } from './phrases.ts';
import type { ReplyRule } from './rule.ts';

/** What hosts say of the mailbox itself. Below what is about us, unless the reply names the mailbox by code and words. */
export const aboutTheMailbox: readonly ReplyRule[] = [
  {
    id: 'full-for-good',
    meaning: 'no_answer',
    reason: 'mailbox_full_for_good',
    code: /^5/,
    provider: 'Gmail',
    ...phrases([
      /overquotaperm/,
      sisimai.google`552-5.2.2 The recipient's inbox is out of storage space and inactive. Please direct the\n552-5.2.2 recipient to\n552 5.2.2 https://support.google.com/mail/?p=OverQuotaPerm`,
    ]),
  },
  {
    id: 'over-quota',
    meaning: 'no_answer',
    reason: 'mailbox_full',
    code: /^[45]/,
    ...phrases(
      [/over ?-?quota/, sisimai.apple`552 5.2.2 <jane@icloud.com>: user is over quota`],
      /over the quota/,
      [
        /(?:mailbox|inbox|storage|disk) (?:storage |size |space |quota )?limit/,
        readAt('postfix.org, local(8), mailbox_size_limit')`452 Mailbox size limit exceeded`,
      ],
      /quota (?:is )?(?:exceeded|full)/,
      [
        /exceed(?:s|ed|ing)? (?:its |the |his |storage |maximum allowed )?(?:quota|storage|allocation|mailbox)/,
        bounceHandler`552 Requested mailbox exceeds quota.`,
      ],
      [
        /out of storage/,
        sisimai.google`452 4.2.2 The recipient's inbox is out of storage space. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaTemp`,
      ],
      [
        /(?:mailbox|inbox|account|user|recipients?|storage|boite du destinataire) (?:<> )?(?:is )?(?:full|pleine)/,
        sisimai.franceptt`552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]`,
        zoneMta`552 5.2.2 Mailbox is full`,
      ],
      /not enough (?:storage|space)/,
      [/too many messages/, reacher`550 user has too many messages on the server`],
      [/storage full/, bounceHandler`552 recipient storage full, try again later`],
    ),
  },
  {
    id: 'over-quota-by-code',
    meaning: 'no_answer',
    reason: 'mailbox_full',
    enhanced: /^[45]\.2\.2$/,
    taughtBy: [readAt('RFC 3463 §3.3')`552 5.2.2 Sorry, the recipient cannot take this`],
  },
  {
    id: 'microsoft-365-recipient',
    meaning: 'refused',
    reason: 'no_such_mailbox',
    code: /^5/,
    enhanced: /^5\.4\.1$/,
    provider: 'Microsoft 365',
    isAmbiguous: true,
    note: "Directory-based edge blocking: 'access denied' is how it says that the recipient does not exist.",
    ...phrases([
      /recipient address rejected: access denied/,
      zoneMta`550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR01FT031.eop-EUR01.prod.protection.outlook.com]`,
    ]),
  },
  {
    id: 'inactive-at-apple',
    meaning: 'refused',
    reason: 'no_such_mailbox',
    code: /^550$/,
    provider: 'iCloud',
    ...phrases([
      /inactive email address/,
      sisimai.apple`550 5.1.1 <jane@icloud.com>: inactive email address`,
    ]),
  },
  {
    id: 'disabled',
    meaning: 'refused',
    reason: 'mailbox_disabled',
    code: /^5/,
    ...phrases(
      [
        /disabled/,
        reacher`550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.google.com/mail/?p=DisabledUser`,
        sisimai.yahooinc`554 30 Sorry, your message to jane@aol.jp cannot be delivered. This mailbox is disabled (554.30)`,
        readAt('rfc-editor.org, RFC 5248 registry (4.7.13/5.7.13)')`525 5.7.13 Disabled recipient address`,
      ],
      [
        /discontinued/,
        reacher`554 delivery error: Sorry your message to <jane@example.com> cannot be delivered. This account has been disabled or discontinued`,
      ],
      /deactivated|suspended/,
      [
        /(?:account|mailbox|user) (?:<> )?(?:is |has been )?(?:inactive|closed|locked|frozen|expired|terminated|archived)/,
        reacher`550 5.2.1 RACT 192.0.2.1: Mailbox is inactive: <user@hanmail.net>`,
      ],
      [/inactive (?:user|account|mailbox)/, zoneMta`554 5.2.1 <jane@mail.ee>: Inactive user`],
      /is expired account|user is terminated|due to inactivity/,
      [
        /archived recipient/,
        sisimai.franceptt`550 5.5.0 Boite du destinataire archivee. Archived recipient. LPN007_420`,
      ],
      /boite du destinataire archivee|recipient account is ?blocked|mailbox is inactive/,
    ),
  },
  {
    id: 'no-such-mailbox-by-wording',
    meaning: 'refused',
    reason: 'no_such_mailbox',
    code: /^5/,
    ...phrases(
      [
        /(?:user|recipient|mail[ -]?box|account|address|addressee)s? (?:<> )?(?:is |was |were )?(?:unknown|not (?:found|known|exist|valid|recogni[sz]ed|listed|present|active|a known|local))/,
        readAt(
          'mail.ru, postmaster replies',
        )`550 Message was not accepted -- invalid mailbox.  Local mailbox jane@mail.ru is unavailable: user not found`,
        reacher`550 5.1.1 <jane@example.com>: Recipient address rejected: User unknown in virtual alias table`,
        reacher`550 5.1.1 MXIN501 mailbox jane@virginmedia.com unknown`,
      ],
      [
        /(?:unknown|no such|invalid|bad|non-?existent|illegal)[ _](?:or (?:illegal|unknown) )?(?:virtual |local |e-?mail |destination |recipient ){0,2}(?:user|recipient|mail[ -]?box|account|address|addressee|person|local[ -]?part|alias|rcpt)/,
        readAt('github.com/rubygarage/truemail, README (Yandex)')`550 5.7.1 No such user!`,
        zoneMta`554 5.7.1 <jane@example.com>: Unknown recipient`,
        sisimai.mimecast`550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550`,
        readAt('postfix.org, smtpd replies')`501 5.1.3 Bad recipient address syntax`,
        reacher`554 Unknown Recipient (#5.1.1)`,
      ],
      [
        /(?:does|do|did|is|dos)(?:n't| not) (?:seem to )?exist/,
        reacher`550 RCPT (jane@stigpods.com.cn) dosn't exist`,
      ],
      [
        /not exist/,
        sisimai.google`550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos\n550 5.1.1 https://support.google.com/mail/?p=NoSuchUser`,
        sisimai.zoho`550 5.1.1 User does not exist - <jane@zoho.com>`,
      ],
      /no (?:mail[ -]?box|account|user|one)(?: by that name| here| found| with| at| available)/,
      [
        /(?:could|can) ?not be found/,
        reacher`550 5.1.1 <jane@example.com>: Email address could not be found, or was misspelled (G8)`,
      ],
      /not found in|not in my validrcptto/,
      /(?:isn't|is not|not) an? (?:valid|known|local|active) (?:recipient|user|mail[ -]?box|account|address)/,
      [/is no longer valid/, sisimai.yahooinc`554 delivery error: dd jane@yahoo.com is no longer valid.`],
      [
        /no longer (?:available|on server|valid|accepts mail)/,
        sisimai.apple`550 5.1.6 recipient no longer on server: jane@icloud.com`,
      ],
      [
        /doesn't have an? \S+ account/,
        sisimai.yahooinc`554 delivery error: dd This user doesn't have a yahoo.com account (jane@yahoo.com)`,
      ],
      /have an account/,
      [/unrouteable/, reacher`550 Unrouteable address`],
      /undeliverable address|user not in directory|address error|address is not handled|recipnotfound/,
      [
        /recipientnotfound/,
        sisimai.microsoft`550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup`,
      ],
      /recipient not ok/,
    ),
  },
  {
    id: 'no-such-mailbox-other-languages',
    meaning: 'refused',
    reason: 'no_such_mailbox',
    code: /^5/,
    ...phrases(
      [/utilisateur inconnu/, sisimai.userunknown`550 utilisateur inconnu !`],
      [
        /destinataire (?:invalide|inconnu)/,
        sisimai.franceptt`550 5.1.1 Adresse d au moins un destinataire invalide. LPN416`,
      ],
      /destinatario (?:sconosciuto|errato)|indirizzo inesistente/,
      [/nessun utente simile/, sisimai.userunknown`550 nessun utente simile in questo indirizzo`],
      /no existe (?:dicha persona|ese usuario)|usuario (?:desconocido|no existe)/,
      /(?:usu[aá]rio|destinat[aá]rio) desconhecido|utente non trovato|gebruiker onbekend/,
      /onbekende gebruiker|unbekannter (?:benutzer|empf)|empf(?:ae|[^a-z\s]+)nger(?:adresse)? unbekannt/,
      /nie (?:istnieje|ma takiego)/,
    ),
  },
  {
    id: 'microsoft-consumer-unavailable',
    meaning: 'refused',
    reason: 'no_such_mailbox',
    code: /^55[0-4]$/,
    provider: 'Outlook.com and hosts that use the wording of RFC 5321',
    isAmbiguous: true,
    ...phrases([
      /mailbox (?:<> )?(?:is )?(?:unavaila?ble|not available)/,
      readAt(
        'Outlook.com, as quoted on GitHub',
      )`550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [SA2PEPF00003F67.namprd04.prod.outlook.com]`,
      rfc5321`550 Requested action not taken: mailbox unavailable`,
      reacher`550 5.5.0 Requested actions not taken as the mailbox is unavailable`,
    ]),
  },
  {
    id: 'no-such-mailbox-by-code',
    meaning: 'refused',
    reason: 'no_such_mailbox',
    code: /^5(?!56)/,
    enhanced: /^5\.1\.(?:1|3|6|10)$/,
    note: 'Not 556, which is about the whole domain (RFC 7504).',
    taughtBy: [
      sisimai.userunknown`550 5.1.1 Address rejected jane@example.com`,
      readAt('RFC 3463 §3.2')`501 5.1.3 Syntax error in the destination`,
    ],
  },
  {
    id: 'other-address-status',
    meaning: 'refused',
    reason: 'no_such_mailbox',
    code: /^5/,
    enhanced: /^5\.1\.0$/,
    isAmbiguous: true,
    note: 'How Cisco gateways say it (address rejected).',
    taughtBy: [sisimai.userunknown`550 #5.1.0 Address rejected.`],
  },
  {
    id: 'address-rejected',
    meaning: 'refused',
    reason: 'no_such_mailbox',
    isAmbiguous: true,
    code: /^550$/,
    enhanced: /^(?:5\.1\.\d+|5\.0\.0|)$/,
    note: 'The bare words and nothing else; with a reason after them the reason decides.',
    ...phrases([/^(?:<>[:.]? ?)?(?:recipient )?(?:address )?rejected\.?$/, reacher`550 Address rejected`]),
  },
];
