// Goes before the program (node --import). The folder REFUSING_DISK is as on a share without permissions, hard links and
// a sync of folders.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { REFUSING_DISK: disk } = process.env;

function refuse(target, name, code, isRefused) {
  const work = target[name];
  target[name] = function (...given) {
    if (!isRefused.call(this, ...given)) return work.apply(this, given);
    const message = `${code}: refused by the disk, ${name} '${String(given[0])}'`;
    return Promise.reject(Object.assign(new Error(message), { code, syscall: name }));
  };
}

const isOnDisk = (path) => String(path).startsWith(disk);
for (const name of ['chmod', 'link']) refuse(fs.promises, name, 'EPERM', isOnDisk);
const handle = await fs.promises.open('/dev/null');
const ofHandle = Object.getPrototypeOf(handle);
await handle.close();
refuse(ofHandle, 'sync', 'EINVAL', function () {
  return (
    fs.fstatSync(this.fd).isDirectory() && isOnDisk(fs.readlinkSync(`/proc/self/fd/${this.fd}`))
  );
});
syncBuiltinESMExports();
