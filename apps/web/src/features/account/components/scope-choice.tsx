import { KEY_SCOPES, type KeyMode, type KeyScope, needsLiveKey } from '@assay/contract';
import { Checkbox, Stack } from '@mantine/core';

export const scopeLabels: Readonly<Record<KeyScope, string>> = {
  verify: 'Verify',
  read_results: 'Read results',
  manage_lists: 'Manage lists',
  guess: 'Guess',
  manage_webhooks: 'Manage webhooks',
  explain_bounces: 'Explain bounces',
  report_outcomes: 'Report outcomes',
  suppressions: 'Suppressions',
  manage_feeds: 'Manage feeds',
};

const descriptions: Readonly<Record<KeyScope, string>> = {
  verify: 'Check addresses and create lists, which costs credits',
  read_results: 'See lists, checks, charts and exports',
  manage_lists: 'Rename, pause, finish, share and delete',
  guess: 'Everything in Email guessing, which costs credits',
  manage_webhooks: 'Add, change, test and delete webhooks, which get results',
  explain_bounces: 'Ask what a mail that came back means, which is free',
  report_outcomes: 'Report what happened to mail after sending, which is free',
  suppressions: 'See, add, remove and follow suppressed addresses and domains',
  manage_feeds: 'Add, change and delete feeds of your sender',
};

interface ScopeChoiceProps {
  value: readonly KeyScope[];
  onChange: (scopes: KeyScope[]) => void;
  mode: KeyMode;
  canGuess: boolean;
}

export function ScopeChoice({ value, onChange, mode, canGuess }: ScopeChoiceProps) {
  const offered = KEY_SCOPES.filter(
    (scope) => (mode === 'live' || !needsLiveKey(scope)) && (scope !== 'guess' || canGuess),
  );
  const change = (scopes: string[]) => onChange(KEY_SCOPES.filter((scope) => scopes.includes(scope)));
  return (
    <Checkbox.Group
      label="Scopes"
      description="Every key may also read the balance."
      value={[...value]}
      onChange={change}
    >
      <Stack gap="xs" mt="xs">
        {offered.map((scope) => (
          <Checkbox key={scope} value={scope} label={scopeLabels[scope]} description={descriptions[scope]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
