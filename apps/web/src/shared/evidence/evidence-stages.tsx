import type { VerdictDetail } from '@assay/contract';
import { formatCredits } from '../format/counts.ts';
import classes from './evidence-stages.module.css';

type Stage = VerdictDetail['evidence'][number];

const stageNames: Readonly<Record<string, string>> = {
  syntax: 'Address read',
  dns: 'Mail hosts looked up',
  connect: 'Host called',
  greeting: 'Greeting',
  hello: 'Introduction',
  tls: 'Encryption',
  sender: 'Sender named',
  rcpt: 'Mailbox asked for',
  proof: 'Mailbox that cannot exist asked for',
  control: 'Mailbox that every host should have asked for',
};

/** The steps of a check in their order: which host, at which address, its own words, and how long it took. */
export function EvidenceStages({ stages }: { stages: readonly Stage[] }) {
  if (stages.length === 0) return <p className={classes.none}>Nothing has been found out yet.</p>;
  return (
    <ol className={classes.stages}>
      {stages.map((stage, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a finished check never change their places
        <li key={index} className={classes.stage}>
          <p className={classes.head}>
            <span className={classes.name}>{stageNames[stage.stage] ?? stage.stage}</span>
            <span className={classes.time}>
              {stage.took_ms < 1 ? '< 1' : formatCredits(stage.took_ms)} ms
            </span>
          </p>
          {stage.host || stage.address ? (
            <p className={classes.host}>{[stage.host, stage.address].filter(Boolean).join(' · ')}</p>
          ) : null}
          {stage.reply ? <p className={classes.reply}>{stage.reply}</p> : null}
        </li>
      ))}
    </ol>
  );
}
