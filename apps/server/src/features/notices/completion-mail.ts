import type { SendMailOptions } from 'nodemailer';

export interface CompleteList {
  readonly kind: 'emails' | 'people';
  readonly id: string;
  readonly name: string;
}

interface Links {
  readonly appUrl: string;
  readonly unsubscribeUrl: string;
}

const paths = { emails: '/email-verification/bulk/', people: '/email-guessing/' } as const;

/** One mail for all lists that completed. Mailboxes can unsubscribe with one click (RFC 8058). */
export function completionMail(
  lists: readonly CompleteList[],
  { appUrl, unsubscribeUrl }: Links,
  { to, from, id }: { readonly to: string; readonly from: string; readonly id: string },
): SendMailOptions {
  const [first] = lists;
  const subject =
    lists.length === 1 ? `Your list ${first?.name} is complete` : `${lists.length} lists are complete`;
  const lines = [
    lists.length === 1 ? 'Your list is complete:' : 'These lists are complete:',
    ...lists.map(({ kind, id: listId, name }) => `${name}\n${appUrl}${paths[kind]}${listId}`),
    `You get this mail because you verify lists with Assay. To get no more of them:\n${unsubscribeUrl}`,
  ];
  return {
    from: { name: 'Assay', address: from },
    to: { name: '', address: to },
    subject,
    text: `${lines.join('\n\n')}\n`,
    // The same in every try, so that mailboxes can drop a duplicate if we missed the relay's answer.
    messageId: `<${id}@${from.split('@')[1]}>`,
    headers: {
      'list-unsubscribe': `<${unsubscribeUrl}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    },
  };
}
