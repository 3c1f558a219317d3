import type { MailboxProvider } from '@assay/contract';
import { Button } from '@mantine/core';
import { Icon } from '../../../shared/components/icon.tsx';
import { Section } from '../../../shared/components/section.tsx';
import classes from './connect-panel.module.css';
import { ProviderIcon, providerNames } from './provider-icon.tsx';

const promises = [
  ['Gradual volume', 'We send a few messages a day and slowly more, as a new mailbox should.'],
  [
    'Real engagement',
    'Messages are opened, answered and moved out of spam, so that providers learn to trust yours.',
  ],
  ['Steady monitoring', 'Every day we look at where your messages land and adjust the pace.'],
  ['Lower spam risk', 'A mailbox with a good record reaches the inbox instead of the spam folder.'],
] as const;

const connectLabels: Readonly<Record<MailboxProvider, string>> = {
  GOOGLE: 'Connect Gmail',
  MICROSOFT: 'Connect Microsoft',
};
const offered = ['GOOGLE', 'MICROSOFT'] as const;

interface ConnectPanelProps {
  /** Where the browser is about to go; null while it stays. */
  leavingFor: MailboxProvider | null;
  onConnect: (provider: MailboxProvider) => void;
}

export function ConnectPanel({ leavingFor, onConnect }: ConnectPanelProps) {
  return (
    <Section title="Reach the inbox, step by step">
      <ul className={classes.promises}>
        {promises.map(([title, text]) => (
          <li key={title}>
            <span className={classes.mark}>
              <Icon name="check" size={16} />
            </span>
            <span>
              <strong>{title}.</strong> {text}
            </span>
          </li>
        ))}
      </ul>
      <p className={classes.note}>Warm-up metrics are coming soon.</p>
      <div className={classes.buttons}>
        {offered.map((provider) => (
          <Button
            key={provider}
            size="md"
            variant="default"
            leftSection={<ProviderIcon provider={provider} />}
            loading={leavingFor === provider}
            disabled={leavingFor !== null && leavingFor !== provider}
            onClick={() => onConnect(provider)}
          >
            {connectLabels[provider]}
          </Button>
        ))}
      </div>
      <p className={classes.leaving} role="status">
        {leavingFor ? `Taking you to ${providerNames[leavingFor]} …` : null}
      </p>
    </Section>
  );
}
