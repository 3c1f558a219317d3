import {
  EXPORT_LINKS,
  type ExportFormat,
  type ExportLink,
  type ValidationList,
  type Verdict,
} from '@assay/contract';
import { Button, Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { AsyncSlot, Skeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { FormDialog, useKeepDialogOpen } from '../../../shared/components/form-dialog.tsx';
import { SecretOnce } from '../../../shared/components/secret-once.tsx';
import { formatDate, formatTime } from '../../../shared/format/dates.ts';
import { DownloadFormat } from '../../../shared/list-summary/download-format.tsx';
import { useCreateExportLink, useExportLinks, useRevokeExportLink } from '../api/export-links.ts';
import classes from './share-dialog.module.css';
import { sharedPartsOf } from './shared-parts.ts';

export interface ShareProps {
  list: ValidationList;
  /** What is chosen for the download, which the link offers first. */
  chosen: readonly Verdict[];
  format: ExportFormat;
}

interface ShareDialogProps extends ShareProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Links to downloads that work without a sign-in: created, copied and revoked. */
export function ShareDialog({ isOpen, onClose, ...share }: ShareDialogProps) {
  const [revokedId, setRevokedId] = useState<string>();
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Share a download" size="44rem" withCloseButton>
      <NewLink {...share} revokedId={revokedId} />
      <WorkingLinks listId={share.list.id} onRevoked={setRevokedId} />
    </FormDialog>
  );
}

const dayChoices = [
  { value: '1', label: '1 day' },
  { value: String(EXPORT_LINKS.daysDefault), label: `${EXPORT_LINKS.daysDefault} days` },
  { value: String(EXPORT_LINKS.daysMax), label: `${EXPORT_LINKS.daysMax} days` },
];

interface NewLinkProps extends ShareProps {
  /** The link that was revoked last. It is not shown any more. */
  revokedId: string | undefined;
}

function NewLink({ list, chosen, format: pageFormat, revokedId }: NewLinkProps) {
  const [picked, setPicked] = useState<string>();
  const choices = sharedPartsOf(list, chosen);
  const choice = choices.find(({ value }) => value === picked) ?? choices[0];
  const [format, setFormat] = useState(pageFormat);
  const [days, setDays] = useState(String(EXPORT_LINKS.daysDefault));
  const create = useCreateExportLink(list.id);
  useKeepDialogOpen(create.isPending);
  return (
    <>
      <p className={classes.text}>
        Anyone who has the link can download the file without signing in, until it expires or you revoke it.
      </p>
      <form
        className={classes.fields}
        onSubmit={(event) => {
          event.preventDefault();
          if (choice) create.mutate({ part: choice.part, format, days: Number(days) });
        }}
      >
        <NativeSelect
          label="Emails"
          value={choice?.value ?? ''}
          data={choices.map(({ value, label }) => ({ value, label }))}
          onChange={({ currentTarget }) => setPicked(currentTarget.value)}
        />
        <DownloadFormat hasLabel value={format} onChange={setFormat} />
        <NativeSelect
          label="Works for"
          value={days}
          data={dayChoices}
          onChange={({ currentTarget }) => setDays(currentTarget.value)}
        />
        <Button type="submit" loading={create.isPending}>
          Create link
        </Button>
      </form>
      {create.data && create.data.id !== revokedId ? (
        <div className={classes.created}>
          <SecretOnce key={create.data.id} label="New link" secret={create.data.url} onDone={create.reset} />
        </div>
      ) : null}
    </>
  );
}

interface WorkingLinksProps {
  listId: string;
  onRevoked: (linkId: string) => void;
}

function WorkingLinks({ listId, onRevoked }: WorkingLinksProps) {
  const links = useExportLinks(listId);
  return (
    <section aria-label="Links that work">
      <h3 className={classes.heading}>Links that work</h3>
      <AsyncSlot
        state={asyncStateOf(links)}
        name="links"
        skeleton={<Skeleton height="3.5rem" />}
        onRetry={() => void links.refetch()}
      >
        {(found) =>
          found.length === 0 ? (
            <p className={classes.text}>There is no link to this list.</p>
          ) : (
            <ul className={classes.links}>
              {found.map((link) => (
                <WorkingLink key={link.id} listId={listId} link={link} onRevoked={onRevoked} />
              ))}
            </ul>
          )
        }
      </AsyncSlot>
    </section>
  );
}

function WorkingLink({ listId, link, onRevoked }: WorkingLinksProps & { link: ExportLink }) {
  const [isAsking, setIsAsking] = useState(false);
  const revoke = useRevokeExportLink(listId, onRevoked);
  return (
    <li className={classes.link}>
      <div className={classes.about}>
        <span className={classes.name}>{link.name}</span>
        <span className={classes.aside}>
          {isAsking ? 'The link stops working at once. Revoke it?' : aboutLink(link)}
        </span>
      </div>
      {isAsking ? (
        <Group gap="xs" wrap="nowrap">
          <Button
            variant="subtle"
            // The button that had the focus is gone.
            autoFocus
            disabled={revoke.isPending}
            onClick={() => setIsAsking(false)}
          >
            Keep
          </Button>
          <Button color="danger" loading={revoke.isPending} onClick={() => revoke.mutate(link.id)}>
            Revoke
          </Button>
        </Group>
      ) : (
        <Button
          variant="subtle"
          color="danger"
          aria-label={`Revoke ${link.name}`}
          onClick={() => setIsAsking(true)}
        >
          Revoke
        </Button>
      )}
    </li>
  );
}

function aboutLink({ expiration_date, last_used_date }: ExportLink): string {
  const expiry = `Expires ${formatDate(expiration_date)}, ${formatTime(expiration_date)}`;
  const use = last_used_date
    ? `last used ${formatDate(last_used_date)}, ${formatTime(last_used_date)}`
    : 'never used';
  return `${expiry} · ${use}`;
}
