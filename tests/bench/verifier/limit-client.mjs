// The limit: a bare client that knows in advance which host to ask, that it pipelines, and which domains are catch-all.
// It looks nothing up, judges nothing, stores nothing and handles no errors, so no verifier can be much faster. It is
// plain JavaScript, so that it has no types to strip.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * @typedef {{ email: string, isCatchAll: boolean }} Recipient An address, and what a yes means.
 * @typedef {{ pipelines: boolean, recipients: Recipient[] }} HostPlan
 * @typedef {{ smtpPort: number, connectionsPerHost: number, hosts: Record<string, HostPlan> }} Plan Hosts by address.
 */

// RFC 5321 §4.5.3.1.8: every host accepts a hundred recipients in a transaction.
const recipientsPerTransaction = 100;

/** @type {Plan} */
const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const startedAt = performance.now();
process.on('exit', () => console.log(JSON.stringify({ workMs: performance.now() - startedAt })));
for (const [address, { pipelines, recipients }] of Object.entries(plan.hosts)) {
  const share = Math.ceil(recipients.length / plan.connectionsPerHost);
  for (let start = 0; start < recipients.length; start += share)
    askAll(address, pipelines, recipients.slice(start, start + share));
}

/** @param {string} address @param {boolean} pipelines @param {Recipient[]} recipients */
function askAll(address, pipelines, recipients) {
  const socket = connect({ host: address, port: plan.smtpPort, noDelay: true });
  /** @type {'banner' | 'hello' | 'transactions'} */
  let phase = 'banner';
  let held = '';
  let sentCount = 0;
  let answeredCount = 0;
  /** Replies that come before those about recipients: to RSET and to MAIL. */
  let preludeCount = 0;
  /** Commands to send one by one. @type {string[]} */
  let waiting = [];

  const beginTransaction = () => {
    const group = recipients.slice(sentCount, sentCount + recipientsPerTransaction);
    const prelude = sentCount === 0 ? ['MAIL FROM:<>'] : ['RSET', 'MAIL FROM:<>'];
    preludeCount = prelude.length;
    sentCount += group.length;
    const commands = [...prelude, ...group.map(({ email }) => `RCPT TO:<${email}>`)];
    if (pipelines) socket.write(`${commands.join('\r\n')}\r\n`);
    else {
      waiting = commands;
      sendNext();
    }
  };
  const sendNext = () => {
    const command = waiting.shift();
    if (command !== undefined) socket.write(`${command}\r\n`);
  };
  /** @param {string} code */
  const hear = (code) => {
    if (phase === 'banner') {
      phase = 'hello';
      socket.write('EHLO limit.test\r\n');
    } else if (phase === 'hello') {
      phase = 'transactions';
      beginTransaction();
    } else if (preludeCount > 0) preludeCount -= 1;
    else {
      const recipient = recipients[answeredCount++];
      if (answeredCount === recipients.length) socket.end('QUIT\r\n');
      else if (answeredCount === sentCount) beginTransaction();
      const result = recipient?.isCatchAll ? 'CATCH_ALL' : code === '250' ? 'VALID' : 'INVALID';
      return `${JSON.stringify({ email: recipient?.email, result })}\n`;
    }
    return '';
  };

  socket.setEncoding('latin1');
  socket.on('data', (text) => {
    const lines = (held + text).split('\r\n');
    held = lines.pop() ?? '';
    let output = '';
    for (const line of lines) {
      const isLastOfReply = line[3] === ' ';
      if (!isLastOfReply || answeredCount === recipients.length) continue;
      const begun = sentCount;
      output += hear(line.slice(0, 3));
      if (begun === sentCount) sendNext();
    }
    if (output !== '') process.stdout.write(output);
  });
}
