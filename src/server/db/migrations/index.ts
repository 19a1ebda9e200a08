import type { Migration } from 'kysely/migration';
import { first } from './0001-first.ts';
import { peopleAndMail } from './0002-people-and-mail.ts';
import { lostAccess } from './0003-lost-access.ts';
import { billing } from './0004-billing.ts';
import { announceChanges } from './0005-announce-changes.ts';
import { thresholdEdit } from './0006-threshold-edit.ts';
import { givenUp } from './0007-given-up.ts';
import { readAt } from './0008-read-at.ts';
import { unsettled } from './0009-unsettled.ts';
import { turnedOff } from './0010-turned-off.ts';
import { announceBySets } from './0011-announce-by-sets.ts';
import { toldToAdministrators } from './0012-told-to-administrators.ts';
import { leavingError } from './0013-leaving-error.ts';
import { unknownSubscription } from './0014-unknown-subscription.ts';
import { statusAndLegacy } from './0015-status-and-legacy.ts';
import { liveUpdates } from './0016-live-updates.ts';
import { standardNames } from './0017-standard-names.ts';
import { pausedThreshold } from './0018-paused-threshold.ts';
import { oneDirection } from './0019-one-direction.ts';
import { statusFiles } from './0020-status-files.ts';
import { history } from './0021-history.ts';
import { liveTest } from './0022-live-test.ts';
import { onForNewCampaigns } from './0023-on-for-new-campaigns.ts';
import { changedInAdsManager } from './0024-changed-in-ads-manager.ts';
import { loginAnswers } from './0025-login-answers.ts';
import { noSessionDevice } from './0026-no-session-device.ts';
import { tokenChecked } from './0027-token-checked.ts';
import { endedAndRefused } from './0028-ended-and-refused.ts';
import { tokenExtension } from './0029-token-extension.ts';
import { wholeLists } from './0030-whole-lists.ts';

/** Numbered and append-only: a released migration never changes. */
export const migrations: Record<string, Migration> = {
  '0001-first': first,
  '0002-people-and-mail': peopleAndMail,
  '0003-lost-access': lostAccess,
  '0004-billing': billing,
  '0005-announce-changes': announceChanges,
  '0006-threshold-edit': thresholdEdit,
  '0007-given-up': givenUp,
  '0008-read-at': readAt,
  '0009-unsettled': unsettled,
  '0010-turned-off': turnedOff,
  '0011-announce-by-sets': announceBySets,
  '0012-told-to-administrators': toldToAdministrators,
  '0013-leaving-error': leavingError,
  '0014-unknown-subscription': unknownSubscription,
  '0015-status-and-legacy': statusAndLegacy,
  '0016-live-updates': liveUpdates,
  '0017-standard-names': standardNames,
  '0018-paused-threshold': pausedThreshold,
  '0019-one-direction': oneDirection,
  '0020-status-files': statusFiles,
  '0021-history': history,
  '0022-live-test': liveTest,
  '0023-on-for-new-campaigns': onForNewCampaigns,
  '0024-changed-in-ads-manager': changedInAdsManager,
  '0025-login-answers': loginAnswers,
  '0026-no-session-device': noSessionDevice,
  '0027-token-checked': tokenChecked,
  '0028-ended-and-refused': endedAndRefused,
  '0029-token-extension': tokenExtension,
  '0030-whole-lists': wholeLists,
};
