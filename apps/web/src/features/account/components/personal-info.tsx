import type { User } from '@assay/contract';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { LineSkeleton } from '../../../shared/components/async-slot.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { lateComponent, lateDialog } from '../../../shared/components/late-parts.tsx';
import { Section } from '../../../shared/components/section.tsx';
import classes from './personal-info.module.css';

const EditProfileDialog = lateDialog(
  async () => (await import('./edit-profile-dialog.tsx')).EditProfileDialog,
);

// The tables of numbering plans are large. Without them the number is shown as it is stored.
const ReadablePhone = lateComponent<{ phone: string }>(async () => {
  const { readablePhone } = await import('@assay/contract/phone').catch(() => ({
    readablePhone: (phone: string) => phone,
  }));
  return ({ phone }) => readablePhone(phone);
});

export function PersonalInfo({ user }: { user: User }) {
  const [isEditing, setIsEditing] = useState(false);
  const name = `${user.first_name} ${user.last_name}`.trim();
  return (
    <Section title="Personal Info" action={<EditButton onClick={() => setIsEditing(true)} />}>
      <Rows
        name={name || 'Not given'}
        email={user.email_address}
        phone={user.phone ? <ReadablePhone phone={user.phone} /> : 'Not given'}
      />
      <EditProfileDialog isOpen={isEditing} user={user} onClose={() => setIsEditing(false)} />
    </Section>
  );
}

export const PersonalInfoSkeleton = () => (
  <Section title="Personal Info" action={<EditButton />}>
    <Rows
      name={<LineSkeleton width="8rem" />}
      email={<LineSkeleton width="14rem" />}
      phone={<LineSkeleton width="6rem" />}
    />
  </Section>
);

const EditButton = ({ onClick }: { onClick?: () => void }) => (
  <Button
    variant="default"
    leftSection={<Icon name="rename" size={16} />}
    aria-label="Edit personal info"
    {...(onClick && { onClick })}
  >
    Edit
  </Button>
);

const Rows = ({ name, email, phone }: Readonly<Record<'name' | 'email' | 'phone', ReactNode>>) => (
  <dl className={classes.rows}>
    <dt>Name</dt>
    <dd>{name}</dd>
    <dt>Email</dt>
    <dd>{email}</dd>
    <dt>Phone</dt>
    <dd>{phone}</dd>
  </dl>
);
