import { FEED_USER, type Feed } from '@assay/contract';
import { TextInput } from '@mantine/core';
import { SecretOnce } from '../../../../shared/components/secret-once.tsx';
import { urlWithSecret } from '../../feed-steps.ts';
import { SenderSteps } from './sender-steps.tsx';

/** A secret of ours, which is shown once, with what to do with it. */
export function FeedSecret({ feed, onDone }: { feed: Feed; onDone: () => void }) {
  const { sender, url } = feed;
  const secret = feed.secret ?? '';
  const steps = <SenderSteps sender={sender} />;
  if (sender === 'ses') {
    return (
      <SecretOnce label="Endpoint with the secret" secret={urlWithSecret(url, secret)} onDone={onDone}>
        {steps}
      </SecretOnce>
    );
  }
  return (
    <SecretOnce label="Secret" secret={secret} onDone={onDone}>
      <TextInput label="Address" value={url} readOnly />
      <TextInput label="User name" value={FEED_USER} readOnly />
      {steps}
    </SecretOnce>
  );
}
