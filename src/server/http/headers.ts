import { NOTHING } from './routes/content-policy.ts';

const A_YEAR_S = 365 * 24 * 60 * 60;

/** Browser features that no page needs. Chromium logs a warning for each name that it does not know. */
const NO_PERMISSIONS = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Headers of every response, also of one that is sent before a request is parsed.
 * Default is private and no page: pages set their own policy, and only files may be cached.
 */
export function safetyHeaders({ isEncrypted }: { isEncrypted: boolean }): Record<string, string> {
  return {
    'content-security-policy': NOTHING,
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': NO_PERMISSIONS,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    ...(isEncrypted ? { 'strict-transport-security': `max-age=${A_YEAR_S}; includeSubDomains` } : {}),
  };
}
