import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Dots } from '../../components/dots.tsx';
import { PAUSED_ALL_ID, leaveFocusToList } from '../../lib/focus-list.ts';
import { loginAddress } from '../../lib/return-to.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { useReturnTo } from '../auth/use-return-to.ts';
import { StatusShape } from '../status/status-mark.tsx';
import classes from './banner-card.module.css';
import type { Banner, Figure } from './banner.ts';

/** `strip`: below the card in its frame. */
export type Look = 'card' | 'strip';

interface BannerCardProps {
  banner: Banner;
  look?: Look;
  /** Before the sentences. */
  before?: ReactNode;
  links?: readonly ReactNode[];
  /** The last line. */
  times?: ReactNode;
  /** What to press; next to the answer where that has room. */
  buttons?: readonly ReactNode[];
  onDismiss?: () => void;
}

/** Draws a banner: the answer, its figures and what to press, then the title and the sentences. */
export function BannerCard(props: BannerCardProps) {
  const { banner, look = 'card', before, links = [], times, buttons = [], onDismiss } = props;
  const { tone, level, figures = [], sentences } = banner;
  const isCard = look === 'card';
  const headline = isCard ? banner.headline : undefined;
  const title = isCard ? banner.title : (banner.title ?? banner.headline);
  // The list must not move up under the pointer when the last button goes.
  const [hadButtons, setHadButtons] = useState(false);
  if (buttons.length > 0 && !hadButtons) setHadButtons(true);
  return (
    <Alert
      className={classes.banner}
      classNames={{ closeButton: classes.close ?? '' }}
      role={roleOf(banner)}
      color={tone}
      data-look={look}
      {...(banner.kind === 'paused_all' && { id: PAUSED_ALL_ID, tabIndex: -1 })}
      withCloseButton={onDismiss !== undefined}
      closeButtonLabel={banner.kind === 'setup' ? 'Hide checklist' : 'Dismiss'}
      {...(onDismiss && { onClose: onDismiss })}
    >
      <div className={classes.columns} data-answer={headline !== undefined || !isCard || undefined}>
        <div className={classes.words}>
          {headline !== undefined && (
            <Text className={classes.headline} c={`var(--mantine-color-${tone}-light-color)`}>
              {level !== undefined && <StatusShape level={level} size={20} />}
              {/* No line begins with the dot. */}
              <span>{headline.replaceAll(' ·', '\u00a0·')}</span>
            </Text>
          )}
          {figures.length > 0 && <Figures figures={figures} />}
          <div className={classes.text} data-small={headline !== undefined || undefined}>
            {title !== undefined && <b>{title}</b>} {before}{' '}
            {sentences.length > 0 && <span>{sentences.join(' ')}</span>}{' '}
            {isCard && links.length > 0 && <Dots parts={links} />}
          </div>
          {times}
        </div>
        {!isCard && links.length > 0 && <Dots parts={links} />}
        {hadButtons && (
          <Group gap="sm" mih={isCard ? 36 : 24}>
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

function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <div className={classes.figures}>
      {figures.map(({ value, label, detail }, index) => (
        <div key={index}>
          <div>
            {value !== '' && <b>{value}</b>} {label}
          </div>
          {detail !== undefined && <small>{detail}</small>}
        </div>
      ))}
    </div>
  );
}

const ANNOUNCED: readonly Banner['kind'][] = [
  ...(['address', 'leaving', 'access', 'paused_all', 'suspended', 'held'] as const),
  'early_warning',
  ...(['refused_pause', 'refused', 'not_resumed'] as const),
];

function roleOf({ kind, tone }: Banner): 'alert' | 'status' | 'note' {
  if (kind === 'address' && tone === 'red') return 'alert';
  return ANNOUNCED.includes(kind) ? 'status' : 'note';
}

/** Meta accepts our access again after a new login. Beside what a visitor can start with, it is the second choice. */
export function LoginButton({ label }: { label: string }) {
  const variant = useAuth().token === null ? 'default' : 'filled';
  return (
    <Button component="a" href={loginAddress(useReturnTo())} variant={variant} size="sm" w="fit-content">
      {label}
    </Button>
  );
}
