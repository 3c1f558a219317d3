import { type Config, readConfig } from '../platform/config/index.ts';
import { type CommandIo, defineCommand, refuseWords } from './command.ts';
import { describeEgress } from './describe-egress.ts';
import { checkDatabase } from './doctor/check-database.ts';
import { checkDisk, checkFileStore } from './doctor/check-files.ts';
import { checkPublicUrl } from './doctor/check-public-url.ts';
import { checkIdentity, checkIdentityAdmin, checkMailRelay, checkPayments } from './doctor/check-services.ts';
import { checkWebApp } from './doctor/check-web-app.ts';
import { describeFinding, type Finding, isProblem } from './finding.ts';

/** `assay doctor`: checks an installation and explains each fix. */
export const run = defineCommand('doctor', {}, async (command) => {
  refuseWords(command);
  // Throws all mistakes at once, each with its setting: nothing else can be checked before they are mended.
  const config = readConfig(command.env);
  let problems = 0;
  // All at once, because without a network each waits for its own time-out; printed in this order, as soon as they are known.
  const checks = checksOf(config, command).map((check) => check());
  // Prevents unhandled rejections of later ones; the loop below throws the first.
  for (const check of checks) check.catch(() => undefined);
  for (const check of checks) {
    for (const finding of await check) {
      command.print([finding], describeFinding(finding));
      if (isProblem(finding)) problems += 1;
    }
  }
  command.print([{ problems }], problems === 0 ? '\nAll is well.\n' : `\nProblems: ${problems}.\n`);
  return problems === 0 ? 0 : 1;
});

const checksOf = (config: Config, io: CommandIo): (() => Promise<Finding[]>)[] => [
  async () => [await checkWebApp(config)],
  () => checkDatabase(io, config.database),
  async () => [await checkFileStore(config)],
  async () => [await checkDisk(config)],
  async () => [await checkIdentity(config.identity)],
  async () => [await checkIdentityAdmin(config.identity)],
  async () => [await checkPayments(config.payments)],
  async () => [await checkMailRelay(config.mail)],
  async () => [await checkPublicUrl(config)],
  ...config.verifier.egresses.map((egress) => async () => {
    const findings = await describeEgress(config.verifier, egress);
    const isOnly = config.verifier.egresses.length === 1;
    return isOnly
      ? findings
      : findings.map((finding) => ({ ...finding, detail: `${egress.name}: ${finding.detail}` }));
  }),
];
