import { Modal } from '@mantine/core';
import { shortcuts } from '../../shared/shortcuts/shortcuts.ts';
import classes from './shortcut-help.module.css';

export function ShortcutHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="26rem">
      <dl className={classes.list}>
        {shortcuts.map(({ key, does }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>You can turn them off in your account, under Appearance.</p>
    </Modal>
  );
}
