import { defineJobs } from "../../jobs/define-jobs.ts";
import { removePrivatePhoto } from "./attach-photos.ts";
import { storeAvifVersions } from "./avif-versions.ts";
import { removeImage } from "./unused-images.ts";

export const imageJobs = defineJobs({
  encodeAvif: {
    run: (deps, { sha256 }: { sha256: string }) => storeAvifVersions(deps, sha256),
    oneAtATime: true,
  },
  removeImage: { run: (deps, { sha256 }: { sha256: string }) => removeImage(deps, sha256) },
  removePrivatePhoto: { run: (deps, { name }: { name: string }) => removePrivatePhoto(deps, name) },
});
