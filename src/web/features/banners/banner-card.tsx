import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Fragment, useState } from 'react';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { loginAddress } from '../../lib/return-to.ts';
import { useReturnTo } from '../auth/use-return-to.ts';
import { StatusShape } from '../status/status-mark.tsx';
import type { Banner } from './banner.ts';
import classes from './banner-card.module.css';

interface BannerCardProps {
  banner: Banner;
  /** Before the sentences, and after them. */
  before?: ReactNode;
  links?: readonly ReactNode[];
  /** The last line. */
  times?: ReactNode;
  /** What to press; next to the answer where that has room. */
  buttons?: readonly ReactNode[];
  onDismiss?: () => void;
}

/** Draws a banner: the answer, its figures and what to press, then the title and the sentences. */
export function BannerCard({ banner, before, links = [], times, buttons = [], onDismiss }: BannerCardProps) {
  const { tone, headline, level, figures = [], title, sentences } = banner;
  // The list must not move up under the pointer when the last button goes.
  const [hadButtons, setHadButtons] = useState(false);
  if (buttons.length > 0 && !hadButtons) setHadButtons(true);
  return (
    <Alert
      role={roleOf(banner)}
      color={tone}
      p={{ base: 12, sm: 'md' }}
      style={{ overflowWrap: 'anywhere' }}
      withCloseButton={onDismiss !== undefined}
      closeButtonLabel="Dismiss"
      {...(onDismiss && { onClose: onDismiss })}
    >
      <div className={classes.columns} data-answer={headline !== undefined || undefined}>
        <div className={classes.words}>
          {headline !== undefined && (
            <Text className={classes.headline} c={`var(--mantine-color-${tone}-light-color)`}>
              {level !== undefined && <StatusShape level={level} size={20} />}
              <span>{headline}</span>
            </Text>
          )}
          {figures.length > 0 && (
            <div className={classes.figures}>
              {figures.map(({ value, label }) => (
                <div key={label}>
                  <b>{value}</b> {label}
                </div>
              ))}
            </div>
          )}
          {title !== undefined && <Text className={classes.title}>{title}</Text>}
          {before}
          {sentences.length + links.length > 0 && (
            <div>
              {sentences.join(' ')}{' '}
              {links.map((link, index) => (
                <Fragment key={index}>
                  {index > 0 && ' · '}
                  {link}
                </Fragment>
              ))}
            </div>
          )}
          {times}
        </div>
        {hadButtons && (
          <Group gap="sm" mih={36}>
            {buttons.map((button, index) => (
              <div key={index} ref={leaveFocusToList}>
                {button}
              </div>
            ))}
          </Group>
        )}
      </div>
    </Alert>
  );
}

function roleOf({ kind, tone }: Banner): 'alert' | 'status' | 'note' {
  if (kind === 'address' && tone === 'red') return 'alert';
  return ['address', 'leaving', 'access', 'suspended', 'held'].includes(kind) ? 'status' : 'note';
}

/** Meta accepts our access again after a new login. */
export function LoginButton({ label }: { label: string }) {
  return (
    <Button component="a" href={loginAddress(useReturnTo())} size="sm" w="fit-content">
      {label}
    </Button>
  );
}
