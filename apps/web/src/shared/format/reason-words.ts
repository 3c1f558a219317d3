/** Reasons whose code does not read as words. */
const words: Readonly<Record<string, string>> = {
  mailbox_accepted: 'Mailbox exists',
  syntax_missing_part: 'Part of the address missing',
  syntax_local_part: 'Name not well-formed',
  syntax_domain: 'Domain not well-formed',
  syntax_too_long: 'Address too long',
  syntax_control_character: 'Control character in it',
  syntax_comment: 'Comment in it',
  syntax_ip_literal: 'IP address as domain',
  null_mx: 'Domain takes no mail',
  mailbox_name_not_supported: 'Name not supported',
  dns_failed: 'Domain lookup failed',
  dns_timeout: 'Domain lookup timed out',
  mail_host_forbidden: 'Mail host not allowed',
  connection_timeout: 'Connection timed out',
  reply_timeout: 'Reply timed out',
  protocol_error: 'Host answers wrongly',
  tls_failed: 'Encryption failed',
  blocked: 'Host blocks us',
  throttled: 'Host slows us down',
  owner_declined: 'Owner declines',
  mailbox_full_for_good: 'Mailbox full for long',
  refusal_unproved: 'Refusal not proved',
  answers_change: 'Answers change',
  refused_unexplained: 'Refused without a reason',
  catch_all_unproved: 'Catch all not proved',
};

/** The reason of a verdict in a few words; its sentence is in the evidence. */
export function reasonWords(code: string): string {
  const text = words[code] ?? code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
