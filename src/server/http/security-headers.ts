import { createHash } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Browser features that no page needs. Chromium logs a warning for each name that it does not know. */
const NO_PERMISSIONS = [
  ...['accelerometer', 'browsing-topics', 'camera', 'display-capture', 'fullscreen', 'geolocation'],
  ...['gyroscope', 'hid', 'magnetometer', 'microphone', 'midi', 'payment', 'publickey-credentials-get'],
  ...['screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** By default a response is private and no page: pages set their own policy, and only files may be cached. */
export function installSecurityHeaders(app: FastifyInstance, isEncrypted: boolean): void {
  void app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        sandbox: [],
      },
    },
    xFrameOptions: { action: 'deny' },
    ...(!isEncrypted && { strictTransportSecurity: false }),
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'cache-control': 'no-store', 'permissions-policy': NO_PERMISSIONS });
    done();
  });
}

/**
 * The policy of a page: our own scripts and the inline scripts that the build wrote, requests to our own origin.
 * Mantine adds style elements and attributes; they cannot run scripts.
 */
export function pagePolicy(html: string): string {
  const inline = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, code = '']) => code);
  const hashes = inline.map((code) => ` 'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self'${hashes.join('')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    // Our scripts send forms, never the browser itself.
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join(';');
}
