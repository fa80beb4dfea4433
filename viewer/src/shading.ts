// What is changed in the shading of three.js: shadows on thin sheets, and normals that lie.
import * as THREE from 'three';

// The place where a shadow is looked up is moved along the normal. On the back of a sheet that would be through it, into
// its own shadow: dots. Here it is moved towards the light. The light looks along the depth row of its matrix.
const kShadowNormal = /shadowWorldNormal \* directionalLightShadows\[ i \]\.shadowNormalBias/g;
const kTowardsLight = `shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias *
  (dot(shadowWorldNormal, vec3(directionalShadowMatrix[ i ][0].z, directionalShadowMatrix[ i ][1].z, directionalShadowMatrix[ i ][2].z)) > 0.0 ? -1.0 : 1.0)`;

// On meshes of slivers the mean normal of a vertex may point away from the face that is seen: black slits. It is bent
// back until it is at most 60° from the face.
const kBend = `#include <normal_fragment_maps>
  #ifndef FLAT_SHADED
  vec3 facing = normalize(cross(dFdx(vViewPosition), dFdy(vViewPosition)));
  float agreement = dot(normal, facing);
  if (agreement < 0.5) normal = normalize(normal + (0.5 - agreement) * 1.2 * facing);
  #endif`;

export function patchMaterial(material: THREE.MeshStandardMaterial): THREE.MeshStandardMaterial {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace('#include <shadowmap_vertex>',
      THREE.ShaderChunk.shadowmap_vertex.replace(kShadowNormal, kTowardsLight));
    shader.fragmentShader = shader.fragmentShader.replace('#include <normal_fragment_maps>', kBend);
  };
  return material;
}
