const Jt="srgb",zs="srgb-linear",Gs="linear",et="srgb";const Hs="300 es";function Al(i){for(let e=i.length-1;e>=0;--e)if(i[e]>=65535)return!0;return!1}function Vs(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function Rl(){const i=Vs("canvas");return i.style.display="block",i}const ha={};function ua(...i){const e="THREE."+i.shift();console.log(e,...i)}function Oo(i){const e=i[0];if(typeof e=="string"&&e.startsWith("TSL:")){const t=i[1];t&&t.isStackTrace?i[0]+=" "+t.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function Pe(...i){i=Oo(i);const e="THREE."+i.shift();{const t=i[0];t&&t.isStackTrace?console.warn(t.getError(e)):console.warn(e,...i)}}function je(...i){i=Oo(i);const e="THREE."+i.shift();{const t=i[0];t&&t.isStackTrace?console.error(t.getError(e)):console.error(e,...i)}}function Fs(...i){const e=i.join(" ");e in ha||(ha[e]=!0,Pe(...i))}function Cl(i,e,t){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(e,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,t);break;default:n()}}setTimeout(r,t)})}const Pl={0:0,2:6,4:4,3:5,1:1,6:2,7:7,5:3};class Bn{addEventListener(e,t){this._listeners===void 0&&(this._listeners={});const n=this._listeners;n[e]===void 0&&(n[e]=[]),n[e].indexOf(t)===-1&&n[e].push(t)}hasEventListener(e,t){const n=this._listeners;return n===void 0?!1:n[e]!==void 0&&n[e].indexOf(t)!==-1}removeEventListener(e,t){const n=this._listeners;if(n===void 0)return;const s=n[e];if(s!==void 0){const r=s.indexOf(t);r!==-1&&s.splice(r,1)}}dispatchEvent(e){const t=this._listeners;if(t===void 0)return;const n=t[e.type];if(n!==void 0){e.target=this;const s=n.slice(0);for(let r=0,a=s.length;r<a;r++)s[r].call(this,e);e.target=null}}}const It=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],Us=Math.PI/180,Nr=180/Math.PI;function zi(){const i=Math.random()*4294967295|0,e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(It[i&255]+It[i>>8&255]+It[i>>16&255]+It[i>>24&255]+"-"+It[e&255]+It[e>>8&255]+"-"+It[e>>16&15|64]+It[e>>24&255]+"-"+It[t&63|128]+It[t>>8&255]+"-"+It[t>>16&255]+It[t>>24&255]+It[n&255]+It[n>>8&255]+It[n>>16&255]+It[n>>24&255]).toLowerCase()}function Xe(i,e,t){return Math.max(e,Math.min(t,i))}function Ll(i,e){return(i%e+e)%e}function ir(i,e,t){return(1-t)*i+t*e}function Dl(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function $r(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function Il(i,e){if(e.constructor===Float32Array)return i;const t=$r(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/t,-1)}function Nl(i,e){if(e.constructor===Float32Array)return i;const t=$r(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*t)}class qe{static{this.prototype.isVector2=!0}constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw new Error("THREE.Vector2: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){const t=this.x,n=this.y,s=e.elements;return this.x=s[0]*t+s[3]*n+s[6],this.y=s[1]*t+s[4]*n+s[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=Xe(this.x,e.x,t.x),this.y=Xe(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=Xe(this.x,e,t),this.y=Xe(this.y,e,t),this}clampLength(e,t){const n=this.length();return this.divideScalar(n||1).multiplyScalar(Xe(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){const t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;const n=this.dot(e)/t;return Math.acos(Xe(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){const t=this.x-e.x,n=this.y-e.y;return t*t+n*n}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){const n=Math.cos(t),s=Math.sin(t),r=this.x-e.x,a=this.y-e.y;return this.x=r*n-a*s+e.x,this.y=r*s+a*n+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}}class Mt{constructor(e=0,t=0,n=0,s=1){this.isQuaternion=!0,this._x=e,this._y=t,this._z=n,this._w=s}static slerpFlat(e,t,n,s,r,a,o){let l=n[s+0],c=n[s+1],h=n[s+2],u=n[s+3],d=r[a+0],f=r[a+1],m=r[a+2],v=r[a+3];if(u!==v||l!==d||c!==f||h!==m){let g=l*d+c*f+h*m+u*v;g<0&&(d=-d,f=-f,m=-m,v=-v,g=-g);let p=1-o;if(g<.9995){const S=Math.acos(g),E=Math.sin(S);p=Math.sin(p*S)/E,o=Math.sin(o*S)/E,l=l*p+d*o,c=c*p+f*o,h=h*p+m*o,u=u*p+v*o}else{l=l*p+d*o,c=c*p+f*o,h=h*p+m*o,u=u*p+v*o;const S=1/Math.sqrt(l*l+c*c+h*h+u*u);l*=S,c*=S,h*=S,u*=S}}e[t]=l,e[t+1]=c,e[t+2]=h,e[t+3]=u}static multiplyQuaternionsFlat(e,t,n,s,r,a){const o=n[s],l=n[s+1],c=n[s+2],h=n[s+3],u=r[a],d=r[a+1],f=r[a+2],m=r[a+3];return e[t]=o*m+h*u+l*f-c*d,e[t+1]=l*m+h*d+c*u-o*f,e[t+2]=c*m+h*f+o*d-l*u,e[t+3]=h*m-o*u-l*d-c*f,e}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get w(){return this._w}set w(e){this._w=e,this._onChangeCallback()}set(e,t,n,s){return this._x=e,this._y=t,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(e){return this._x=e.x,this._y=e.y,this._z=e.z,this._w=e.w,this._onChangeCallback(),this}setFromEuler(e,t=!0){const n=e._x,s=e._y,r=e._z,a=e._order,o=Math.cos,l=Math.sin,c=o(n/2),h=o(s/2),u=o(r/2),d=l(n/2),f=l(s/2),m=l(r/2);switch(a){case"XYZ":this._x=d*h*u+c*f*m,this._y=c*f*u-d*h*m,this._z=c*h*m+d*f*u,this._w=c*h*u-d*f*m;break;case"YXZ":this._x=d*h*u+c*f*m,this._y=c*f*u-d*h*m,this._z=c*h*m-d*f*u,this._w=c*h*u+d*f*m;break;case"ZXY":this._x=d*h*u-c*f*m,this._y=c*f*u+d*h*m,this._z=c*h*m+d*f*u,this._w=c*h*u-d*f*m;break;case"ZYX":this._x=d*h*u-c*f*m,this._y=c*f*u+d*h*m,this._z=c*h*m-d*f*u,this._w=c*h*u+d*f*m;break;case"YZX":this._x=d*h*u+c*f*m,this._y=c*f*u+d*h*m,this._z=c*h*m-d*f*u,this._w=c*h*u-d*f*m;break;case"XZY":this._x=d*h*u-c*f*m,this._y=c*f*u-d*h*m,this._z=c*h*m+d*f*u,this._w=c*h*u+d*f*m;break;default:Pe("Quaternion: .setFromEuler() encountered an unknown order: "+a)}return t===!0&&this._onChangeCallback(),this}setFromAxisAngle(e,t){const n=t/2,s=Math.sin(n);return this._x=e.x*s,this._y=e.y*s,this._z=e.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(e){const t=e.elements,n=t[0],s=t[4],r=t[8],a=t[1],o=t[5],l=t[9],c=t[2],h=t[6],u=t[10],d=n+o+u;if(d>0){const f=.5/Math.sqrt(d+1);this._w=.25/f,this._x=(h-l)*f,this._y=(r-c)*f,this._z=(a-s)*f}else if(n>o&&n>u){const f=2*Math.sqrt(1+n-o-u);this._w=(h-l)/f,this._x=.25*f,this._y=(s+a)/f,this._z=(r+c)/f}else if(o>u){const f=2*Math.sqrt(1+o-n-u);this._w=(r-c)/f,this._x=(s+a)/f,this._y=.25*f,this._z=(l+h)/f}else{const f=2*Math.sqrt(1+u-n-o);this._w=(a-s)/f,this._x=(r+c)/f,this._y=(l+h)/f,this._z=.25*f}return this._onChangeCallback(),this}setFromUnitVectors(e,t){let n=e.dot(t)+1;return n<1e-8?(n=0,Math.abs(e.x)>Math.abs(e.z)?(this._x=-e.y,this._y=e.x,this._z=0,this._w=n):(this._x=0,this._y=-e.z,this._z=e.y,this._w=n)):(this._x=e.y*t.z-e.z*t.y,this._y=e.z*t.x-e.x*t.z,this._z=e.x*t.y-e.y*t.x,this._w=n),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs(Xe(this.dot(e),-1,1)))}rotateTowards(e,t){const n=this.angleTo(e);if(n===0)return this;const s=Math.min(1,t/n);return this.slerp(e,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(e){return this._x*e._x+this._y*e._y+this._z*e._z+this._w*e._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let e=this.length();return e===0?(this._x=0,this._y=0,this._z=0,this._w=1):(e=1/e,this._x=this._x*e,this._y=this._y*e,this._z=this._z*e,this._w=this._w*e),this._onChangeCallback(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){const n=e._x,s=e._y,r=e._z,a=e._w,o=t._x,l=t._y,c=t._z,h=t._w;return this._x=n*h+a*o+s*c-r*l,this._y=s*h+a*l+r*o-n*c,this._z=r*h+a*c+n*l-s*o,this._w=a*h-n*o-s*l-r*c,this._onChangeCallback(),this}slerp(e,t){let n=e._x,s=e._y,r=e._z,a=e._w,o=this.dot(e);o<0&&(n=-n,s=-s,r=-r,a=-a,o=-o);let l=1-t;if(o<.9995){const c=Math.acos(o),h=Math.sin(c);l=Math.sin(l*c)/h,t=Math.sin(t*c)/h,this._x=this._x*l+n*t,this._y=this._y*l+s*t,this._z=this._z*l+r*t,this._w=this._w*l+a*t,this._onChangeCallback()}else this._x=this._x*l+n*t,this._y=this._y*l+s*t,this._z=this._z*l+r*t,this._w=this._w*l+a*t,this.normalize();return this}slerpQuaternions(e,t,n){return this.copy(e).slerp(t,n)}random(){const e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(e),s*Math.cos(e),r*Math.sin(t),r*Math.cos(t))}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._w===this._w}fromArray(e,t=0){return this._x=e[t],this._y=e[t+1],this._z=e[t+2],this._w=e[t+3],this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._w,e}fromBufferAttribute(e,t){return this._x=e.getX(t),this._y=e.getY(t),this._z=e.getZ(t),this._w=e.getW(t),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}}class L{static{this.prototype.isVector3=!0}constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}set(e,t,n){return n===void 0&&(n=this.z),this.x=e,this.y=t,this.z=n,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw new Error("THREE.Vector3: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(da.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(da.setFromAxisAngle(e,t))}applyMatrix3(e){const t=this.x,n=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[3]*n+r[6]*s,this.y=r[1]*t+r[4]*n+r[7]*s,this.z=r[2]*t+r[5]*n+r[8]*s,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){const t=this.x,n=this.y,s=this.z,r=e.elements,a=1/(r[3]*t+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*t+r[4]*n+r[8]*s+r[12])*a,this.y=(r[1]*t+r[5]*n+r[9]*s+r[13])*a,this.z=(r[2]*t+r[6]*n+r[10]*s+r[14])*a,this}applyQuaternion(e){const t=this.x,n=this.y,s=this.z,r=e.x,a=e.y,o=e.z,l=e.w,c=2*(a*s-o*n),h=2*(o*t-r*s),u=2*(r*n-a*t);return this.x=t+l*c+a*u-o*h,this.y=n+l*h+o*c-r*u,this.z=s+l*u+r*h-a*c,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){const t=this.x,n=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[4]*n+r[8]*s,this.y=r[1]*t+r[5]*n+r[9]*s,this.z=r[2]*t+r[6]*n+r[10]*s,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=Xe(this.x,e.x,t.x),this.y=Xe(this.y,e.y,t.y),this.z=Xe(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=Xe(this.x,e,t),this.y=Xe(this.y,e,t),this.z=Xe(this.z,e,t),this}clampLength(e,t){const n=this.length();return this.divideScalar(n||1).multiplyScalar(Xe(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){const n=e.x,s=e.y,r=e.z,a=t.x,o=t.y,l=t.z;return this.x=s*l-r*o,this.y=r*a-n*l,this.z=n*o-s*a,this}projectOnVector(e){const t=e.lengthSq();if(t===0)return this.set(0,0,0);const n=e.dot(this)/t;return this.copy(e).multiplyScalar(n)}projectOnPlane(e){return sr.copy(this).projectOnVector(e),this.sub(sr)}reflect(e){return this.sub(sr.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){const t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;const n=this.dot(e)/t;return Math.acos(Xe(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){const t=this.x-e.x,n=this.y-e.y,s=this.z-e.z;return t*t+n*n+s*s}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,n){const s=Math.sin(t)*e;return this.x=s*Math.sin(n),this.y=Math.cos(t)*e,this.z=s*Math.cos(n),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,n){return this.x=e*Math.sin(t),this.y=n,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){const t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){const t=this.setFromMatrixColumn(e,0).length(),n=this.setFromMatrixColumn(e,1).length(),s=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=n,this.z=s,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e._x,this.y=e._y,this.z=e._z,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){const e=Math.random()*Math.PI*2,t=Math.random()*2-1,n=Math.sqrt(1-t*t);return this.x=n*Math.cos(e),this.y=t,this.z=n*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}}const sr=new L,da=new Mt;class Ue{static{this.prototype.isMatrix3=!0}constructor(e,t,n,s,r,a,o,l,c){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,n,s,r,a,o,l,c)}set(e,t,n,s,r,a,o,l,c){const h=this.elements;return h[0]=e,h[1]=s,h[2]=o,h[3]=t,h[4]=r,h[5]=l,h[6]=n,h[7]=a,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){const t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],this}extractBasis(e,t,n){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(e){const t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){const n=e.elements,s=t.elements,r=this.elements,a=n[0],o=n[3],l=n[6],c=n[1],h=n[4],u=n[7],d=n[2],f=n[5],m=n[8],v=s[0],g=s[3],p=s[6],S=s[1],E=s[4],x=s[7],T=s[2],A=s[5],_=s[8];return r[0]=a*v+o*S+l*T,r[3]=a*g+o*E+l*A,r[6]=a*p+o*x+l*_,r[1]=c*v+h*S+u*T,r[4]=c*g+h*E+u*A,r[7]=c*p+h*x+u*_,r[2]=d*v+f*S+m*T,r[5]=d*g+f*E+m*A,r[8]=d*p+f*x+m*_,this}multiplyScalar(e){const t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){const e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],a=e[4],o=e[5],l=e[6],c=e[7],h=e[8];return t*a*h-t*o*c-n*r*h+n*o*l+s*r*c-s*a*l}invert(){const e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],a=e[4],o=e[5],l=e[6],c=e[7],h=e[8],u=h*a-o*c,d=o*l-h*r,f=c*r-a*l,m=t*u+n*d+s*f;if(m===0)return this.set(0,0,0,0,0,0,0,0,0);const v=1/m;return e[0]=u*v,e[1]=(s*c-h*n)*v,e[2]=(o*n-s*a)*v,e[3]=d*v,e[4]=(h*t-s*l)*v,e[5]=(s*r-o*t)*v,e[6]=f*v,e[7]=(n*l-c*t)*v,e[8]=(a*t-n*r)*v,this}transpose(){let e;const t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){const t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,n,s,r,a,o){const l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*a+c*o)+a+e,-s*c,s*l,-s*(-c*a+l*o)+o+t,0,0,1),this}scale(e,t){return Fs("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(rr.makeScale(e,t)),this}rotate(e){return Fs("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(rr.makeRotation(-e)),this}translate(e,t){return Fs("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(rr.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){const t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,n,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){const t=this.elements,n=e.elements;for(let s=0;s<9;s++)if(t[s]!==n[s])return!1;return!0}fromArray(e,t=0){for(let n=0;n<9;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){const n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e}clone(){return new this.constructor().fromArray(this.elements)}}const rr=new Ue,fa=new Ue().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),pa=new Ue().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function Fl(){const i={enabled:!0,workingColorSpace:zs,spaces:{},convert:function(s,r,a){return this.enabled===!1||r===a||!r||!a||(this.spaces[r].transfer===et&&(s.r=En(s.r),s.g=En(s.g),s.b=En(s.b)),this.spaces[r].primaries!==this.spaces[a].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[a].fromXYZ)),this.spaces[a].transfer===et&&(s.r=mi(s.r),s.g=mi(s.g),s.b=mi(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===""?Gs:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,a){return s.copy(this.spaces[a].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},e=[.64,.33,.3,.6,.15,.06],t=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[zs]:{primaries:e,whitePoint:n,transfer:Gs,toXYZ:fa,fromXYZ:pa,luminanceCoefficients:t,workingColorSpaceConfig:{unpackColorSpace:Jt},outputColorSpaceConfig:{drawingBufferColorSpace:Jt}},[Jt]:{primaries:e,whitePoint:n,transfer:et,toXYZ:fa,fromXYZ:pa,luminanceCoefficients:t,outputColorSpaceConfig:{drawingBufferColorSpace:Jt}}}),i}const We=Fl();function En(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function mi(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}let ei;class Ul{static getDataURL(e,t="image/png"){if(/^data:/i.test(e.src)||typeof HTMLCanvasElement>"u")return e.src;let n;if(e instanceof HTMLCanvasElement)n=e;else{ei===void 0&&(ei=Vs("canvas")),ei.width=e.width,ei.height=e.height;const s=ei.getContext("2d");e instanceof ImageData?s.putImageData(e,0,0):s.drawImage(e,0,0,e.width,e.height),n=ei}return n.toDataURL(t)}static sRGBToLinear(e){if(typeof HTMLImageElement<"u"&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&e instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&e instanceof ImageBitmap){const t=Vs("canvas");t.width=e.width,t.height=e.height;const n=t.getContext("2d");n.drawImage(e,0,0,e.width,e.height);const s=n.getImageData(0,0,e.width,e.height),r=s.data;for(let a=0;a<r.length;a++)r[a]=En(r[a]/255)*255;return n.putImageData(s,0,0),t}else if(e.data){const t=e.data.slice(0);for(let n=0;n<t.length;n++)t instanceof Uint8Array||t instanceof Uint8ClampedArray?t[n]=Math.floor(En(t[n]/255)*255):t[n]=En(t[n]);return{data:t,width:e.width,height:e.height}}else return Pe("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),e}}let Ol=0;class Yr{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:Ol++}),this.uuid=zi(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){const t=this.data;return typeof HTMLVideoElement<"u"&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<"u"&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t!==null?e.set(t.width||0,t.height||0,t.depth||0):e.set(0,0,0),e}set needsUpdate(e){e===!0&&this.version++}toJSON(e){const t=e===void 0||typeof e=="string";if(!t&&e.images[this.uuid]!==void 0)return e.images[this.uuid];const n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let a=0,o=s.length;a<o;a++)s[a].isDataTexture?r.push(ar(s[a].image)):r.push(ar(s[a]))}else r=ar(s);n.url=r}return t||(e.images[this.uuid]=n),n}}function ar(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?Ul.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(Pe("Texture: Unable to serialize Texture."),{})}let Bl=0;const or=new L;class Ot extends Bn{constructor(e=Ot.DEFAULT_IMAGE,t=Ot.DEFAULT_MAPPING,n=1001,s=1001,r=1006,a=1008,o=1023,l=1009,c=Ot.DEFAULT_ANISOTROPY,h=""){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:Bl++}),this.uuid=zi(),this.name="",this.source=new Yr(e),this.mipmaps=[],this.mapping=t,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=a,this.anisotropy=c,this.format=o,this.internalFormat=null,this.type=l,this.offset=new qe(0,0),this.repeat=new qe(1,1),this.center=new qe(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new Ue,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(e&&e.depth&&e.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(or).x}get height(){return this.source.getSize(or).y}get depth(){return this.source.getSize(or).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(const t in e){const n=e[t];if(n===void 0){Pe(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}const s=this[t];if(s===void 0){Pe(`Texture.setValues(): property '${t}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[t]=n}}toJSON(e){const t=e===void 0||typeof e=="string";if(!t&&e.textures[this.uuid]!==void 0)return e.textures[this.uuid];const n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(e).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),t||(e.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(e){if(this.mapping!==300)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case 1e3:e.x=e.x-Math.floor(e.x);break;case 1001:e.x=e.x<0?0:1;break;case 1002:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x=e.x-Math.floor(e.x);break}if(e.y<0||e.y>1)switch(this.wrapT){case 1e3:e.y=e.y-Math.floor(e.y);break;case 1001:e.y=e.y<0?0:1;break;case 1002:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y=e.y-Math.floor(e.y);break}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}}Ot.DEFAULT_IMAGE=null;Ot.DEFAULT_MAPPING=300;Ot.DEFAULT_ANISOTROPY=1;class pt{static{this.prototype.isVector4=!0}constructor(e=0,t=0,n=0,s=1){this.x=e,this.y=t,this.z=n,this.w=s}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,n,s){return this.x=e,this.y=t,this.z=n,this.w=s,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw new Error("THREE.Vector4: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w!==void 0?e.w:1,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){const t=this.x,n=this.y,s=this.z,r=this.w,a=e.elements;return this.x=a[0]*t+a[4]*n+a[8]*s+a[12]*r,this.y=a[1]*t+a[5]*n+a[9]*s+a[13]*r,this.z=a[2]*t+a[6]*n+a[10]*s+a[14]*r,this.w=a[3]*t+a[7]*n+a[11]*s+a[15]*r,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);const t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,n,s,r;const l=e.elements,c=l[0],h=l[4],u=l[8],d=l[1],f=l[5],m=l[9],v=l[2],g=l[6],p=l[10];if(Math.abs(h-d)<.01&&Math.abs(u-v)<.01&&Math.abs(m-g)<.01){if(Math.abs(h+d)<.1&&Math.abs(u+v)<.1&&Math.abs(m+g)<.1&&Math.abs(c+f+p-3)<.1)return this.set(1,0,0,0),this;t=Math.PI;const E=(c+1)/2,x=(f+1)/2,T=(p+1)/2,A=(h+d)/4,_=(u+v)/4,y=(m+g)/4;return E>x&&E>T?E<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(E),s=A/n,r=_/n):x>T?x<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(x),n=A/s,r=y/s):T<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(T),n=_/r,s=y/r),this.set(n,s,r,t),this}let S=Math.sqrt((g-m)*(g-m)+(u-v)*(u-v)+(d-h)*(d-h));return Math.abs(S)<.001&&(S=1),this.x=(g-m)/S,this.y=(u-v)/S,this.z=(d-h)/S,this.w=Math.acos((c+f+p-1)/2),this}setFromMatrixPosition(e){const t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=Xe(this.x,e.x,t.x),this.y=Xe(this.y,e.y,t.y),this.z=Xe(this.z,e.z,t.z),this.w=Xe(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=Xe(this.x,e,t),this.y=Xe(this.y,e,t),this.z=Xe(this.z,e,t),this.w=Xe(this.w,e,t),this}clampLength(e,t){const n=this.length();return this.divideScalar(n||1).multiplyScalar(Xe(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this.w=e.w+(t.w-e.w)*n,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}}class kl extends Bn{constructor(e=1,t=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:1006,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=n.depth,this.scissor=new pt(0,0,e,t),this.scissorTest=!1,this.viewport=new pt(0,0,e,t),this.textures=[];const s=n.count;for(let r=0;r<s;r++)this.textures[r]=new Ot({width:e,height:t,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(e={}){const t={minFilter:1006,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this._depthTexture=e}get depthTexture(){return this._depthTexture}setSize(e,t,n=1){if(this.width!==e||this.height!==t||this.depth!==n){this.width=e,this.height=t,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=e,this.textures[s].image.height=t,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,n=e.textures.length;t<n;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;const s=Object.assign({},e.textures[t].image);this.textures[t].source=new Yr(s)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null)if(e.depthTexture.renderTarget===e){const t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture;else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}}class pn extends kl{constructor(e=1,t=1,n={}){super(e,t,n),this.isWebGLRenderTarget=!0}}class Bo extends Ot{constructor(e=null,t=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:n,depth:s},this.magFilter=1003,this.minFilter=1003,this.wrapR=1001,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}}class zl extends Ot{constructor(e=null,t=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:n,depth:s},this.magFilter=1003,this.minFilter=1003,this.wrapR=1001,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}}class Ze{static{this.prototype.isMatrix4=!0}constructor(e,t,n,s,r,a,o,l,c,h,u,d,f,m,v,g){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,n,s,r,a,o,l,c,h,u,d,f,m,v,g)}set(e,t,n,s,r,a,o,l,c,h,u,d,f,m,v,g){const p=this.elements;return p[0]=e,p[4]=t,p[8]=n,p[12]=s,p[1]=r,p[5]=a,p[9]=o,p[13]=l,p[2]=c,p[6]=h,p[10]=u,p[14]=d,p[3]=f,p[7]=m,p[11]=v,p[15]=g,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new Ze().fromArray(this.elements)}copy(e){const t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],t[9]=n[9],t[10]=n[10],t[11]=n[11],t[12]=n[12],t[13]=n[13],t[14]=n[14],t[15]=n[15],this}copyPosition(e){const t=this.elements,n=e.elements;return t[12]=n[12],t[13]=n[13],t[14]=n[14],this}setFromMatrix3(e){const t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,n){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),n.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(e,t,n){return this.set(e.x,t.x,n.x,0,e.y,t.y,n.y,0,e.z,t.z,n.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();const t=this.elements,n=e.elements,s=1/ti.setFromMatrixColumn(e,0).length(),r=1/ti.setFromMatrixColumn(e,1).length(),a=1/ti.setFromMatrixColumn(e,2).length();return t[0]=n[0]*s,t[1]=n[1]*s,t[2]=n[2]*s,t[3]=0,t[4]=n[4]*r,t[5]=n[5]*r,t[6]=n[6]*r,t[7]=0,t[8]=n[8]*a,t[9]=n[9]*a,t[10]=n[10]*a,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){const t=this.elements,n=e.x,s=e.y,r=e.z,a=Math.cos(n),o=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),u=Math.sin(r);if(e.order==="XYZ"){const d=a*h,f=a*u,m=o*h,v=o*u;t[0]=l*h,t[4]=-l*u,t[8]=c,t[1]=f+m*c,t[5]=d-v*c,t[9]=-o*l,t[2]=v-d*c,t[6]=m+f*c,t[10]=a*l}else if(e.order==="YXZ"){const d=l*h,f=l*u,m=c*h,v=c*u;t[0]=d+v*o,t[4]=m*o-f,t[8]=a*c,t[1]=a*u,t[5]=a*h,t[9]=-o,t[2]=f*o-m,t[6]=v+d*o,t[10]=a*l}else if(e.order==="ZXY"){const d=l*h,f=l*u,m=c*h,v=c*u;t[0]=d-v*o,t[4]=-a*u,t[8]=m+f*o,t[1]=f+m*o,t[5]=a*h,t[9]=v-d*o,t[2]=-a*c,t[6]=o,t[10]=a*l}else if(e.order==="ZYX"){const d=a*h,f=a*u,m=o*h,v=o*u;t[0]=l*h,t[4]=m*c-f,t[8]=d*c+v,t[1]=l*u,t[5]=v*c+d,t[9]=f*c-m,t[2]=-c,t[6]=o*l,t[10]=a*l}else if(e.order==="YZX"){const d=a*l,f=a*c,m=o*l,v=o*c;t[0]=l*h,t[4]=v-d*u,t[8]=m*u+f,t[1]=u,t[5]=a*h,t[9]=-o*h,t[2]=-c*h,t[6]=f*u+m,t[10]=d-v*u}else if(e.order==="XZY"){const d=a*l,f=a*c,m=o*l,v=o*c;t[0]=l*h,t[4]=-u,t[8]=c*h,t[1]=d*u+v,t[5]=a*h,t[9]=f*u-m,t[2]=m*u-f,t[6]=o*h,t[10]=v*u+d}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose(Gl,e,Hl)}lookAt(e,t,n){const s=this.elements;return Gt.subVectors(e,t),Gt.lengthSq()===0&&(Gt.z=1),Gt.normalize(),Cn.crossVectors(n,Gt),Cn.lengthSq()===0&&(Math.abs(n.z)===1?Gt.x+=1e-4:Gt.z+=1e-4,Gt.normalize(),Cn.crossVectors(n,Gt)),Cn.normalize(),$i.crossVectors(Gt,Cn),s[0]=Cn.x,s[4]=$i.x,s[8]=Gt.x,s[1]=Cn.y,s[5]=$i.y,s[9]=Gt.y,s[2]=Cn.z,s[6]=$i.z,s[10]=Gt.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){const n=e.elements,s=t.elements,r=this.elements,a=n[0],o=n[4],l=n[8],c=n[12],h=n[1],u=n[5],d=n[9],f=n[13],m=n[2],v=n[6],g=n[10],p=n[14],S=n[3],E=n[7],x=n[11],T=n[15],A=s[0],_=s[4],y=s[8],P=s[12],C=s[1],F=s[5],O=s[9],X=s[13],I=s[2],z=s[6],Y=s[10],B=s[14],te=s[3],V=s[7],Q=s[11],ee=s[15];return r[0]=a*A+o*C+l*I+c*te,r[4]=a*_+o*F+l*z+c*V,r[8]=a*y+o*O+l*Y+c*Q,r[12]=a*P+o*X+l*B+c*ee,r[1]=h*A+u*C+d*I+f*te,r[5]=h*_+u*F+d*z+f*V,r[9]=h*y+u*O+d*Y+f*Q,r[13]=h*P+u*X+d*B+f*ee,r[2]=m*A+v*C+g*I+p*te,r[6]=m*_+v*F+g*z+p*V,r[10]=m*y+v*O+g*Y+p*Q,r[14]=m*P+v*X+g*B+p*ee,r[3]=S*A+E*C+x*I+T*te,r[7]=S*_+E*F+x*z+T*V,r[11]=S*y+E*O+x*Y+T*Q,r[15]=S*P+E*X+x*B+T*ee,this}multiplyScalar(e){const t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){const e=this.elements,t=e[0],n=e[4],s=e[8],r=e[12],a=e[1],o=e[5],l=e[9],c=e[13],h=e[2],u=e[6],d=e[10],f=e[14],m=e[3],v=e[7],g=e[11],p=e[15],S=l*f-c*d,E=o*f-c*u,x=o*d-l*u,T=a*f-c*h,A=a*d-l*h,_=a*u-o*h;return t*(v*S-g*E+p*x)-n*(m*S-g*T+p*A)+s*(m*E-v*T+p*_)-r*(m*x-v*A+g*_)}determinantAffine(){const e=this.elements,t=e[0],n=e[4],s=e[8],r=e[1],a=e[5],o=e[9],l=e[2],c=e[6],h=e[10];return t*(a*h-o*c)-n*(r*h-o*l)+s*(r*c-a*l)}transpose(){const e=this.elements;let t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,n){const s=this.elements;return e.isVector3?(s[12]=e.x,s[13]=e.y,s[14]=e.z):(s[12]=e,s[13]=t,s[14]=n),this}invert(){const e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],a=e[4],o=e[5],l=e[6],c=e[7],h=e[8],u=e[9],d=e[10],f=e[11],m=e[12],v=e[13],g=e[14],p=e[15],S=t*o-n*a,E=t*l-s*a,x=t*c-r*a,T=n*l-s*o,A=n*c-r*o,_=s*c-r*l,y=h*v-u*m,P=h*g-d*m,C=h*p-f*m,F=u*g-d*v,O=u*p-f*v,X=d*p-f*g,I=S*X-E*O+x*F+T*C-A*P+_*y;if(I===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);const z=1/I;return e[0]=(o*X-l*O+c*F)*z,e[1]=(s*O-n*X-r*F)*z,e[2]=(v*_-g*A+p*T)*z,e[3]=(d*A-u*_-f*T)*z,e[4]=(l*C-a*X-c*P)*z,e[5]=(t*X-s*C+r*P)*z,e[6]=(g*x-m*_-p*E)*z,e[7]=(h*_-d*x+f*E)*z,e[8]=(a*O-o*C+c*y)*z,e[9]=(n*C-t*O-r*y)*z,e[10]=(m*A-v*x+p*S)*z,e[11]=(u*x-h*A-f*S)*z,e[12]=(o*P-a*F-l*y)*z,e[13]=(t*F-n*P+s*y)*z,e[14]=(v*E-m*T-g*S)*z,e[15]=(h*T-u*E+d*S)*z,this}scale(e){const t=this.elements,n=e.x,s=e.y,r=e.z;return t[0]*=n,t[4]*=s,t[8]*=r,t[1]*=n,t[5]*=s,t[9]*=r,t[2]*=n,t[6]*=s,t[10]*=r,t[3]*=n,t[7]*=s,t[11]*=r,this}getMaxScaleOnAxis(){const e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],n=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],s=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,n,s))}makeTranslation(e,t,n){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,n,0,0,0,1),this}makeRotationX(e){const t=Math.cos(e),n=Math.sin(e);return this.set(1,0,0,0,0,t,-n,0,0,n,t,0,0,0,0,1),this}makeRotationY(e){const t=Math.cos(e),n=Math.sin(e);return this.set(t,0,n,0,0,1,0,0,-n,0,t,0,0,0,0,1),this}makeRotationZ(e){const t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,0,n,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){const n=Math.cos(t),s=Math.sin(t),r=1-n,a=e.x,o=e.y,l=e.z,c=r*a,h=r*o;return this.set(c*a+n,c*o-s*l,c*l+s*o,0,c*o+s*l,h*o+n,h*l-s*a,0,c*l-s*o,h*l+s*a,r*l*l+n,0,0,0,0,1),this}makeScale(e,t,n){return this.set(e,0,0,0,0,t,0,0,0,0,n,0,0,0,0,1),this}makeShear(e,t,n,s,r,a){return this.set(1,n,r,0,e,1,a,0,t,s,1,0,0,0,0,1),this}compose(e,t,n){const s=this.elements,r=t._x,a=t._y,o=t._z,l=t._w,c=r+r,h=a+a,u=o+o,d=r*c,f=r*h,m=r*u,v=a*h,g=a*u,p=o*u,S=l*c,E=l*h,x=l*u,T=n.x,A=n.y,_=n.z;return s[0]=(1-(v+p))*T,s[1]=(f+x)*T,s[2]=(m-E)*T,s[3]=0,s[4]=(f-x)*A,s[5]=(1-(d+p))*A,s[6]=(g+S)*A,s[7]=0,s[8]=(m+E)*_,s[9]=(g-S)*_,s[10]=(1-(d+v))*_,s[11]=0,s[12]=e.x,s[13]=e.y,s[14]=e.z,s[15]=1,this}decompose(e,t,n){const s=this.elements;e.x=s[12],e.y=s[13],e.z=s[14];const r=this.determinantAffine();if(r===0)return n.set(1,1,1),t.identity(),this;let a=ti.set(s[0],s[1],s[2]).length();const o=ti.set(s[4],s[5],s[6]).length(),l=ti.set(s[8],s[9],s[10]).length();r<0&&(a=-a),nn.copy(this);const c=1/a,h=1/o,u=1/l;return nn.elements[0]*=c,nn.elements[1]*=c,nn.elements[2]*=c,nn.elements[4]*=h,nn.elements[5]*=h,nn.elements[6]*=h,nn.elements[8]*=u,nn.elements[9]*=u,nn.elements[10]*=u,t.setFromRotationMatrix(nn),n.x=a,n.y=o,n.z=l,this}makePerspective(e,t,n,s,r,a,o=2e3,l=!1){const c=this.elements,h=2*r/(t-e),u=2*r/(n-s),d=(t+e)/(t-e),f=(n+s)/(n-s);let m,v;if(l)m=r/(a-r),v=a*r/(a-r);else if(o===2e3)m=-(a+r)/(a-r),v=-2*a*r/(a-r);else if(o===2001)m=-a/(a-r),v=-a*r/(a-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+o);return c[0]=h,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=f,c[13]=0,c[2]=0,c[6]=0,c[10]=m,c[14]=v,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(e,t,n,s,r,a,o=2e3,l=!1){const c=this.elements,h=2/(t-e),u=2/(n-s),d=-(t+e)/(t-e),f=-(n+s)/(n-s);let m,v;if(l)m=1/(a-r),v=a/(a-r);else if(o===2e3)m=-2/(a-r),v=-(a+r)/(a-r);else if(o===2001)m=-1/(a-r),v=-r/(a-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+o);return c[0]=h,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=f,c[2]=0,c[6]=0,c[10]=m,c[14]=v,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(e){const t=this.elements,n=e.elements;for(let s=0;s<16;s++)if(t[s]!==n[s])return!1;return!0}fromArray(e,t=0){for(let n=0;n<16;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){const n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e[t+9]=n[9],e[t+10]=n[10],e[t+11]=n[11],e[t+12]=n[12],e[t+13]=n[13],e[t+14]=n[14],e[t+15]=n[15],e}}const ti=new L,nn=new Ze,Gl=new L(0,0,0),Hl=new L(1,1,1),Cn=new L,$i=new L,Gt=new L,ma=new Ze,ga=new Mt;class On{constructor(e=0,t=0,n=0,s=On.DEFAULT_ORDER){this.isEuler=!0,this._x=e,this._y=t,this._z=n,this._order=s}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get order(){return this._order}set order(e){this._order=e,this._onChangeCallback()}set(e,t,n,s=this._order){return this._x=e,this._y=t,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(e){return this._x=e._x,this._y=e._y,this._z=e._z,this._order=e._order,this._onChangeCallback(),this}setFromRotationMatrix(e,t=this._order,n=!0){const s=e.elements,r=s[0],a=s[4],o=s[8],l=s[1],c=s[5],h=s[9],u=s[2],d=s[6],f=s[10];switch(t){case"XYZ":this._y=Math.asin(Xe(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(-h,f),this._z=Math.atan2(-a,r)):(this._x=Math.atan2(d,c),this._z=0);break;case"YXZ":this._x=Math.asin(-Xe(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(o,f),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(Xe(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-a,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-Xe(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-a,c));break;case"YZX":this._z=Math.asin(Xe(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(o,f));break;case"XZY":this._z=Math.asin(-Xe(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(o,r)):(this._x=Math.atan2(-h,f),this._y=0);break;default:Pe("Euler: .setFromRotationMatrix() encountered an unknown order: "+t)}return this._order=t,n===!0&&this._onChangeCallback(),this}setFromQuaternion(e,t,n){return ma.makeRotationFromQuaternion(e),this.setFromRotationMatrix(ma,t,n)}setFromVector3(e,t=this._order){return this.set(e.x,e.y,e.z,t)}reorder(e){return ga.setFromEuler(this),this.setFromQuaternion(ga,e)}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._order===this._order}fromArray(e){return this._x=e[0],this._y=e[1],this._z=e[2],e[3]!==void 0&&(this._order=e[3]),this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._order,e}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}}On.DEFAULT_ORDER="XYZ";class Zr{constructor(){this.mask=1}set(e){this.mask=(1<<e|0)>>>0}enable(e){this.mask|=1<<e|0}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e|0}disable(e){this.mask&=~(1<<e|0)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return(this.mask&(1<<e|0))!==0}}let Vl=0;const _a=new L,ni=new Mt,_n=new Ze,Yi=new L,bi=new L,Wl=new L,Xl=new Mt,va=new L(1,0,0),xa=new L(0,1,0),Sa=new L(0,0,1),Ma={type:"added"},ql={type:"removed"},ii={type:"childadded",child:null},lr={type:"childremoved",child:null};class yt extends Bn{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:Vl++}),this.uuid=zi(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=yt.DEFAULT_UP.clone();const e=new L,t=new On,n=new Mt,s=new L(1,1,1);function r(){n.setFromEuler(t,!1)}function a(){t.setFromQuaternion(n,void 0,!1)}t._onChange(r),n._onChange(a),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:e},rotation:{configurable:!0,enumerable:!0,value:t},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new Ze},normalMatrix:{value:new Ue}}),this.matrix=new Ze,this.matrixWorld=new Ze,this.matrixAutoUpdate=yt.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=yt.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Zr,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return ni.setFromAxisAngle(e,t),this.quaternion.multiply(ni),this}rotateOnWorldAxis(e,t){return ni.setFromAxisAngle(e,t),this.quaternion.premultiply(ni),this}rotateX(e){return this.rotateOnAxis(va,e)}rotateY(e){return this.rotateOnAxis(xa,e)}rotateZ(e){return this.rotateOnAxis(Sa,e)}translateOnAxis(e,t){return _a.copy(e).applyQuaternion(this.quaternion),this.position.add(_a.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis(va,e)}translateY(e){return this.translateOnAxis(xa,e)}translateZ(e){return this.translateOnAxis(Sa,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(_n.copy(this.matrixWorld).invert())}lookAt(e,t,n){e.isVector3?Yi.copy(e):Yi.set(e,t,n);const s=this.parent;this.updateWorldMatrix(!0,!1),bi.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?_n.lookAt(bi,Yi,this.up):_n.lookAt(Yi,bi,this.up),this.quaternion.setFromRotationMatrix(_n),s&&(_n.extractRotation(s.matrixWorld),ni.setFromRotationMatrix(_n),this.quaternion.premultiply(ni.invert()))}add(e){if(arguments.length>1){for(let t=0;t<arguments.length;t++)this.add(arguments[t]);return this}return e===this?(je("Object3D.add: object can't be added as a child of itself.",e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(Ma),ii.child=e,this.dispatchEvent(ii),ii.child=null):je("Object3D.add: object not an instance of THREE.Object3D.",e),this)}remove(e){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}const t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(ql),lr.child=e,this.dispatchEvent(lr),lr.child=null),this}removeFromParent(){const e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),_n.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),_n.multiply(e.parent.matrixWorld)),e.applyMatrix4(_n),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(Ma),ii.child=e,this.dispatchEvent(ii),ii.child=null,this}getObjectById(e){return this.getObjectByProperty("id",e)}getObjectByName(e){return this.getObjectByProperty("name",e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let n=0,s=this.children.length;n<s;n++){const a=this.children[n].getObjectByProperty(e,t);if(a!==void 0)return a}}getObjectsByProperty(e,t,n=[]){this[e]===t&&n.push(this);const s=this.children;for(let r=0,a=s.length;r<a;r++)s[r].getObjectsByProperty(e,t,n);return n}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(bi,e,Wl),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(bi,Xl,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);const t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);const t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);const t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].traverseVisible(e)}traverseAncestors(e){const t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);const e=this.pivot;if(e!==null){const t=e.x,n=e.y,s=e.z,r=this.matrix.elements;r[12]+=t-r[0]*t-r[4]*n-r[8]*s,r[13]+=n-r[1]*t-r[5]*n-r[9]*s,r[14]+=s-r[2]*t-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);const t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].updateMatrixWorld(e)}updateWorldMatrix(e,t,n=!1){const s=this.parent;if(e===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),t===!0){const r=this.children;for(let a=0,o=r.length;a<o;a++)r[a].updateWorldMatrix(!1,!0,n)}}toJSON(e){const t=e===void 0||typeof e=="string",n={};t&&(e={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});const s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(o=>({...o,boundingBox:o.boundingBox?o.boundingBox.toJSON():void 0,boundingSphere:o.boundingSphere?o.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(o=>({...o})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(e),s.indirectTexture=this._indirectTexture.toJSON(e),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(e)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(o,l){return o[l.uuid]===void 0&&(o[l.uuid]=l.toJSON(e)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(e).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(e).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(e.geometries,this.geometry);const o=this.geometry.parameters;if(o!==void 0&&o.shapes!==void 0){const l=o.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){const u=l[c];r(e.shapes,u)}else r(e.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(e.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){const o=[];for(let l=0,c=this.material.length;l<c;l++)o.push(r(e.materials,this.material[l]));s.material=o}else s.material=r(e.materials,this.material);if(this.children.length>0){s.children=[];for(let o=0;o<this.children.length;o++)s.children.push(this.children[o].toJSON(e).object)}if(this.animations.length>0){s.animations=[];for(let o=0;o<this.animations.length;o++){const l=this.animations[o];s.animations.push(r(e.animations,l))}}if(t){const o=a(e.geometries),l=a(e.materials),c=a(e.textures),h=a(e.images),u=a(e.shapes),d=a(e.skeletons),f=a(e.animations),m=a(e.nodes);o.length>0&&(n.geometries=o),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),u.length>0&&(n.shapes=u),d.length>0&&(n.skeletons=d),f.length>0&&(n.animations=f),m.length>0&&(n.nodes=m)}return n.object=s,n;function a(o){const l=[];for(const c in o){const h=o[c];delete h.metadata,l.push(h)}return l}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot!==null?e.pivot.clone():null,this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let n=0;n<e.children.length;n++){const s=e.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}}yt.DEFAULT_UP=new L(0,1,0);yt.DEFAULT_MATRIX_AUTO_UPDATE=!0;yt.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;class wn extends yt{constructor(){super(),this.isGroup=!0,this.type="Group"}}const $l={type:"move"};class cr{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new wn,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new wn,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new L,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new L),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new wn,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new L,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new L,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(e){return this._targetRay!==null&&this._targetRay.dispatchEvent(e),this._grip!==null&&this._grip.dispatchEvent(e),this._hand!==null&&this._hand.dispatchEvent(e),this}connect(e){if(e&&e.hand){const t=this._hand;if(t)for(const n of e.hand.values())this._getHandJoint(t,n)}return this.dispatchEvent({type:"connected",data:e}),this}disconnect(e){return this.dispatchEvent({type:"disconnected",data:e}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(e,t,n){let s=null,r=null,a=null;const o=this._targetRay,l=this._grip,c=this._hand;if(e&&t.session.visibilityState!=="visible-blurred"){if(c&&e.hand){a=!0;for(const v of e.hand.values()){const g=t.getJointPose(v,n),p=this._getHandJoint(c,v);g!==null&&(p.matrix.fromArray(g.transform.matrix),p.matrix.decompose(p.position,p.quaternion,p.scale),p.matrixWorldNeedsUpdate=!0,p.jointRadius=g.radius),p.visible=g!==null}const h=c.joints["index-finger-tip"],u=c.joints["thumb-tip"],d=h.position.distanceTo(u.position),f=.02,m=.005;c.inputState.pinching&&d>f+m?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:e.handedness,target:this})):!c.inputState.pinching&&d<=f-m&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:e.handedness,target:this}))}else l!==null&&e.gripSpace&&(r=t.getPose(e.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:e,target:this})));o!==null&&(s=t.getPose(e.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(o.matrix.fromArray(s.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.matrixWorldNeedsUpdate=!0,s.linearVelocity?(o.hasLinearVelocity=!0,o.linearVelocity.copy(s.linearVelocity)):o.hasLinearVelocity=!1,s.angularVelocity?(o.hasAngularVelocity=!0,o.angularVelocity.copy(s.angularVelocity)):o.hasAngularVelocity=!1,this.dispatchEvent($l)))}return o!==null&&(o.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=a!==null),this}_getHandJoint(e,t){if(e.joints[t.jointName]===void 0){const n=new wn;n.matrixAutoUpdate=!1,n.visible=!1,e.joints[t.jointName]=n,e.add(n)}return e.joints[t.jointName]}}const ko={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Pn={h:0,s:0,l:0},Zi={h:0,s:0,l:0};function hr(i,e,t){return t<0&&(t+=1),t>1&&(t-=1),t<1/6?i+(e-i)*6*t:t<1/2?e:t<2/3?i+(e-i)*6*(2/3-t):i}class Ie{constructor(e,t,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,n)}set(e,t,n){if(t===void 0&&n===void 0){const s=e;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(e,t,n);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=Jt){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,We.colorSpaceToWorking(this,t),this}setRGB(e,t,n,s=We.workingColorSpace){return this.r=e,this.g=t,this.b=n,We.colorSpaceToWorking(this,s),this}setHSL(e,t,n,s=We.workingColorSpace){if(e=Ll(e,1),t=Xe(t,0,1),n=Xe(n,0,1),t===0)this.r=this.g=this.b=n;else{const r=n<=.5?n*(1+t):n+t-n*t,a=2*n-r;this.r=hr(a,r,e+1/3),this.g=hr(a,r,e),this.b=hr(a,r,e-1/3)}return We.colorSpaceToWorking(this,s),this}setStyle(e,t=Jt){function n(r){r!==void 0&&parseFloat(r)<1&&Pe("Color: Alpha component of "+e+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(e)){let r;const a=s[1],o=s[2];switch(a){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,t);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,t);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,t);break;default:Pe("Color: Unknown color model "+e)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(e)){const r=s[1],a=r.length;if(a===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,t);if(a===6)return this.setHex(parseInt(r,16),t);Pe("Color: Invalid hex color "+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=Jt){const n=ko[e.toLowerCase()];return n!==void 0?this.setHex(n,t):Pe("Color: Unknown color "+e),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=En(e.r),this.g=En(e.g),this.b=En(e.b),this}copyLinearToSRGB(e){return this.r=mi(e.r),this.g=mi(e.g),this.b=mi(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=Jt){return We.workingToColorSpace(Nt.copy(this),e),Math.round(Xe(Nt.r*255,0,255))*65536+Math.round(Xe(Nt.g*255,0,255))*256+Math.round(Xe(Nt.b*255,0,255))}getHexString(e=Jt){return("000000"+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=We.workingColorSpace){We.workingToColorSpace(Nt.copy(this),t);const n=Nt.r,s=Nt.g,r=Nt.b,a=Math.max(n,s,r),o=Math.min(n,s,r);let l,c;const h=(o+a)/2;if(o===a)l=0,c=0;else{const u=a-o;switch(c=h<=.5?u/(a+o):u/(2-a-o),a){case n:l=(s-r)/u+(s<r?6:0);break;case s:l=(r-n)/u+2;break;case r:l=(n-s)/u+4;break}l/=6}return e.h=l,e.s=c,e.l=h,e}getRGB(e,t=We.workingColorSpace){return We.workingToColorSpace(Nt.copy(this),t),e.r=Nt.r,e.g=Nt.g,e.b=Nt.b,e}getStyle(e=Jt){We.workingToColorSpace(Nt.copy(this),e);const t=Nt.r,n=Nt.g,s=Nt.b;return e!==Jt?`color(${e} ${t.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(t*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(e,t,n){return this.getHSL(Pn),this.setHSL(Pn.h+e,Pn.s+t,Pn.l+n)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,n){return this.r=e.r+(t.r-e.r)*n,this.g=e.g+(t.g-e.g)*n,this.b=e.b+(t.b-e.b)*n,this}lerpHSL(e,t){this.getHSL(Pn),e.getHSL(Zi);const n=ir(Pn.h,Zi.h,t),s=ir(Pn.s,Zi.s,t),r=ir(Pn.l,Zi.l,t);return this.setHSL(n,s,r),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){const t=this.r,n=this.g,s=this.b,r=e.elements;return this.r=r[0]*t+r[3]*n+r[6]*s,this.g=r[1]*t+r[4]*n+r[7]*s,this.b=r[2]*t+r[5]*n+r[8]*s,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}}const Nt=new Ie;Ie.NAMES=ko;class ya extends yt{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new On,this.environmentIntensity=1,this.environmentRotation=new On,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background!==null?e.background.clone():null,this.environment=e.environment!==null?e.environment.clone():null,this.fog=e.fog!==null?e.fog.clone():null,this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial!==null?e.overrideMaterial.clone():null,this.matrixAutoUpdate=e.matrixAutoUpdate,this}toJSON(e){const t=super.toJSON(e);return this.fog!==null&&(t.object.fog=this.fog.toJSON()),t.object.backgroundBlurriness=this.backgroundBlurriness,t.object.backgroundIntensity=this.backgroundIntensity,t.object.backgroundRotation=this.backgroundRotation.toArray(),t.object.environmentIntensity=this.environmentIntensity,t.object.environmentRotation=this.environmentRotation.toArray(),t}}const sn=new L,vn=new L,ur=new L,xn=new L,si=new L,ri=new L,ba=new L,dr=new L,fr=new L,pr=new L,mr=new pt,gr=new pt,_r=new pt;class Qt{constructor(e=new L,t=new L,n=new L){this.a=e,this.b=t,this.c=n}static getNormal(e,t,n,s){s.subVectors(n,t),sn.subVectors(e,t),s.cross(sn);const r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(e,t,n,s,r){sn.subVectors(s,t),vn.subVectors(n,t),ur.subVectors(e,t);const a=sn.dot(sn),o=sn.dot(vn),l=sn.dot(ur),c=vn.dot(vn),h=vn.dot(ur),u=a*c-o*o;if(u===0)return r.set(0,0,0),null;const d=1/u,f=(c*l-o*h)*d,m=(a*h-o*l)*d;return r.set(1-f-m,m,f)}static containsPoint(e,t,n,s){return this.getBarycoord(e,t,n,s,xn)===null?!1:xn.x>=0&&xn.y>=0&&xn.x+xn.y<=1}static getInterpolation(e,t,n,s,r,a,o,l){return this.getBarycoord(e,t,n,s,xn)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,xn.x),l.addScaledVector(a,xn.y),l.addScaledVector(o,xn.z),l)}static getInterpolatedAttribute(e,t,n,s,r,a){return mr.setScalar(0),gr.setScalar(0),_r.setScalar(0),mr.fromBufferAttribute(e,t),gr.fromBufferAttribute(e,n),_r.fromBufferAttribute(e,s),a.setScalar(0),a.addScaledVector(mr,r.x),a.addScaledVector(gr,r.y),a.addScaledVector(_r,r.z),a}static isFrontFacing(e,t,n,s){return sn.subVectors(n,t),vn.subVectors(e,t),sn.cross(vn).dot(s)<0}set(e,t,n){return this.a.copy(e),this.b.copy(t),this.c.copy(n),this}setFromPointsAndIndices(e,t,n,s){return this.a.copy(e[t]),this.b.copy(e[n]),this.c.copy(e[s]),this}setFromAttributeAndIndices(e,t,n,s){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,n),this.c.fromBufferAttribute(e,s),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return sn.subVectors(this.c,this.b),vn.subVectors(this.a,this.b),sn.cross(vn).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(e){return Qt.getNormal(this.a,this.b,this.c,e)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(e,t){return Qt.getBarycoord(e,this.a,this.b,this.c,t)}getInterpolation(e,t,n,s,r){return Qt.getInterpolation(e,this.a,this.b,this.c,t,n,s,r)}containsPoint(e){return Qt.containsPoint(e,this.a,this.b,this.c)}isFrontFacing(e){return Qt.isFrontFacing(this.a,this.b,this.c,e)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){const n=this.a,s=this.b,r=this.c;let a,o;si.subVectors(s,n),ri.subVectors(r,n),dr.subVectors(e,n);const l=si.dot(dr),c=ri.dot(dr);if(l<=0&&c<=0)return t.copy(n);fr.subVectors(e,s);const h=si.dot(fr),u=ri.dot(fr);if(h>=0&&u<=h)return t.copy(s);const d=l*u-h*c;if(d<=0&&l>=0&&h<=0&&l-h>0)return a=l/(l-h),t.copy(n).addScaledVector(si,a);pr.subVectors(e,r);const f=si.dot(pr),m=ri.dot(pr);if(m>=0&&f<=m)return t.copy(r);const v=f*c-l*m;if(v<=0&&c>=0&&m<=0)return o=c/(c-m),t.copy(n).addScaledVector(ri,o);const g=h*m-f*u;if(g<=0&&u-h>=0&&f-m>=0)return ba.subVectors(r,s),o=(u-h)/(u-h+(f-m)),t.copy(s).addScaledVector(ba,o);const p=1/(g+v+d);return a=v*p,o=d*p,t.copy(n).addScaledVector(si,a).addScaledVector(ri,o)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}}class en{constructor(e=new L(1/0,1/0,1/0),t=new L(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t+=3)this.expandByPoint(rn.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,n=e.count;t<n;t++)this.expandByPoint(rn.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){const n=rn.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(n),this.max.copy(e).add(n),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);const n=e.geometry;if(n!==void 0){const r=n.getAttribute("position");if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let a=0,o=r.count;a<o;a++)e.isMesh===!0?e.getVertexPosition(a,rn):rn.fromBufferAttribute(r,a),rn.applyMatrix4(e.matrixWorld),this.expandByPoint(rn);else e.boundingBox!==void 0?(e.boundingBox===null&&e.computeBoundingBox(),ji.copy(e.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),ji.copy(n.boundingBox)),ji.applyMatrix4(e.matrixWorld),this.union(ji)}const s=e.children;for(let r=0,a=s.length;r<a;r++)this.expandByObject(s[r],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,rn),rn.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,n;return e.normal.x>0?(t=e.normal.x*this.min.x,n=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,n=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,n+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,n+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,n+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,n+=e.normal.z*this.min.z),t<=-e.constant&&n>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(wi),Ki.subVectors(this.max,wi),ai.subVectors(e.a,wi),oi.subVectors(e.b,wi),li.subVectors(e.c,wi),Ln.subVectors(oi,ai),Dn.subVectors(li,oi),Vn.subVectors(ai,li);let t=[0,-Ln.z,Ln.y,0,-Dn.z,Dn.y,0,-Vn.z,Vn.y,Ln.z,0,-Ln.x,Dn.z,0,-Dn.x,Vn.z,0,-Vn.x,-Ln.y,Ln.x,0,-Dn.y,Dn.x,0,-Vn.y,Vn.x,0];return!vr(t,ai,oi,li,Ki)||(t=[1,0,0,0,1,0,0,0,1],!vr(t,ai,oi,li,Ki))?!1:(Ji.crossVectors(Ln,Dn),t=[Ji.x,Ji.y,Ji.z],vr(t,ai,oi,li,Ki))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,rn).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize(rn).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()?this:(Sn[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),Sn[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),Sn[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),Sn[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),Sn[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),Sn[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),Sn[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),Sn[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(Sn),this)}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(e){return this.min.fromArray(e.min),this.max.fromArray(e.max),this}}const Sn=[new L,new L,new L,new L,new L,new L,new L,new L],rn=new L,ji=new en,ai=new L,oi=new L,li=new L,Ln=new L,Dn=new L,Vn=new L,wi=new L,Ki=new L,Ji=new L,Wn=new L;function vr(i,e,t,n,s){for(let r=0,a=i.length-3;r<=a;r+=3){Wn.fromArray(i,r);const o=s.x*Math.abs(Wn.x)+s.y*Math.abs(Wn.y)+s.z*Math.abs(Wn.z),l=e.dot(Wn),c=t.dot(Wn),h=n.dot(Wn);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>o)return!1}return!0}const vt=new L,Qi=new qe;let Yl=0;class Ut extends Bn{constructor(e,t,n=!1){if(super(),Array.isArray(e))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Yl++}),this.name="",this.array=e,this.itemSize=t,this.count=e!==void 0?e.length/t:0,this.normalized=n,this.usage=35044,this.updateRanges=[],this.gpuType=1015,this.version=0,this._normalizationScale=e!==void 0?$r(e):void 0}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this._normalizationScale=e._normalizationScale,this}copyAt(e,t,n){e*=this.itemSize,n*=t.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[e+s]=t.array[n+s];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,n=this.count;t<n;t++)Qi.fromBufferAttribute(this,t),Qi.applyMatrix3(e),this.setXY(t,Qi.x,Qi.y);else if(this.itemSize===3)for(let t=0,n=this.count;t<n;t++)vt.fromBufferAttribute(this,t),vt.applyMatrix3(e),this.setXYZ(t,vt.x,vt.y,vt.z);return this}applyMatrix4(e){for(let t=0,n=this.count;t<n;t++)vt.fromBufferAttribute(this,t),vt.applyMatrix4(e),this.setXYZ(t,vt.x,vt.y,vt.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)vt.fromBufferAttribute(this,t),vt.applyNormalMatrix(e),this.setXYZ(t,vt.x,vt.y,vt.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)vt.fromBufferAttribute(this,t),vt.transformDirection(e),this.setXYZ(t,vt.x,vt.y,vt.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let n=this.array[e*this.itemSize+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.array[e*this.itemSize+t]=n,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this._denormalize(t)),t}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this._denormalize(t)),t}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this._denormalize(t)),t}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this._denormalize(t)),t}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,n){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.array[e+0]=t,this.array[e+1]=n,this}setXYZ(e,t,n,s){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=s,this}setXYZW(e,t,n,s,r){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=s,this.array[e+3]=r,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){const e={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return e.name=this.name,e.usage=this.usage,e.gpuType=this.gpuType,e}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(e){const t=this._normalizationScale;return t!==void 0?Math.max(e/t,-1):Il(e,this.array)}_normalize(e){const t=this._normalizationScale;return t!==void 0?Math.round(e*t):Nl(e,this.array)}}class zo extends Ut{constructor(e,t,n){super(new Uint16Array(e),t,n)}}class Go extends Ut{constructor(e,t,n){super(new Uint32Array(e),t,n)}}class tt extends Ut{constructor(e,t,n){super(new Float32Array(e),t,n)}}const Zl=new en,Ei=new L,xr=new L;class Qn{constructor(e=new L,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){const n=this.center;t!==void 0?n.copy(t):Zl.setFromPoints(e).getCenter(n);let s=0;for(let r=0,a=e.length;r<a;r++)s=Math.max(s,n.distanceToSquared(e[r]));return this.radius=Math.sqrt(s),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){const t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){const n=this.center.distanceToSquared(e);return t.copy(e),n>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius=this.radius*e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;Ei.subVectors(e,this.center);const t=Ei.lengthSq();if(t>this.radius*this.radius){const n=Math.sqrt(t),s=(n-this.radius)*.5;this.center.addScaledVector(Ei,s/n),this.radius+=s}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):(xr.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(Ei.copy(e.center).add(xr)),this.expandByPoint(Ei.copy(e.center).sub(xr))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(e){return this.radius=e.radius,this.center.fromArray(e.center),this}}let jl=0;const Kt=new Ze,Sr=new yt,ci=new L,Ht=new en,Ti=new en,Rt=new L;class mt extends Bn{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:jl++}),this.uuid=zi(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(e){return Array.isArray(e)?this.index=new(Al(e)?Go:zo)(e,1):this.index=e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,n=0){this.groups.push({start:e,count:t,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){const t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);const n=this.attributes.normal;if(n!==void 0){const r=new Ue().getNormalMatrix(e);n.applyNormalMatrix(r),n.needsUpdate=!0}const s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(e),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(e){return Kt.makeRotationFromQuaternion(e),this.applyMatrix4(Kt),this}rotateX(e){return Kt.makeRotationX(e),this.applyMatrix4(Kt),this}rotateY(e){return Kt.makeRotationY(e),this.applyMatrix4(Kt),this}rotateZ(e){return Kt.makeRotationZ(e),this.applyMatrix4(Kt),this}translate(e,t,n){return Kt.makeTranslation(e,t,n),this.applyMatrix4(Kt),this}scale(e,t,n){return Kt.makeScale(e,t,n),this.applyMatrix4(Kt),this}lookAt(e){return Sr.lookAt(e),Sr.updateMatrix(),this.applyMatrix4(Sr.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(ci).negate(),this.translate(ci.x,ci.y,ci.z),this}setFromPoints(e){const t=this.getAttribute("position");if(t===void 0){const n=[];for(let s=0,r=e.length;s<r;s++){const a=e[s];n.push(a.x,a.y,a.z||0)}this.setAttribute("position",new tt(n,3))}else{const n=Math.min(e.length,t.count);for(let s=0;s<n;s++){const r=e[s];t.setXYZ(s,r.x,r.y,r.z||0)}e.length>t.count&&Pe("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new en);const e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){je("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new L(-1/0,-1/0,-1/0),new L(1/0,1/0,1/0));return}if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let n=0,s=t.length;n<s;n++){const r=t[n];Ht.setFromBufferAttribute(r),this.morphTargetsRelative?(Rt.addVectors(this.boundingBox.min,Ht.min),this.boundingBox.expandByPoint(Rt),Rt.addVectors(this.boundingBox.max,Ht.max),this.boundingBox.expandByPoint(Rt)):(this.boundingBox.expandByPoint(Ht.min),this.boundingBox.expandByPoint(Ht.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&je('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Qn);const e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){je("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new L,1/0);return}if(e){const n=this.boundingSphere.center;if(Ht.setFromBufferAttribute(e),t)for(let r=0,a=t.length;r<a;r++){const o=t[r];Ti.setFromBufferAttribute(o),this.morphTargetsRelative?(Rt.addVectors(Ht.min,Ti.min),Ht.expandByPoint(Rt),Rt.addVectors(Ht.max,Ti.max),Ht.expandByPoint(Rt)):(Ht.expandByPoint(Ti.min),Ht.expandByPoint(Ti.max))}Ht.getCenter(n);let s=0;for(let r=0,a=e.count;r<a;r++)Rt.fromBufferAttribute(e,r),s=Math.max(s,n.distanceToSquared(Rt));if(t)for(let r=0,a=t.length;r<a;r++){const o=t[r],l=this.morphTargetsRelative;for(let c=0,h=o.count;c<h;c++)Rt.fromBufferAttribute(o,c),l&&(ci.fromBufferAttribute(e,c),Rt.add(ci)),s=Math.max(s,n.distanceToSquared(Rt))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&je('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){const e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){je("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}const n=t.position,s=t.normal,r=t.uv;let a=this.getAttribute("tangent");(a===void 0||a.count!==n.count)&&(a=new Ut(new Float32Array(4*n.count),4),this.setAttribute("tangent",a));const o=[],l=[],c=new Uint8Array(n.count);for(let P=0;P<n.count;P++)o[P]=new L,l[P]=new L;const h=new L,u=new L,d=new L,f=new qe,m=new qe,v=new qe,g=new L,p=new L;function S(P,C,F){c[P]=c[C]=c[F]=1,h.fromBufferAttribute(n,P),u.fromBufferAttribute(n,C),d.fromBufferAttribute(n,F),f.fromBufferAttribute(r,P),m.fromBufferAttribute(r,C),v.fromBufferAttribute(r,F),u.sub(h),d.sub(h),m.sub(f),v.sub(f);const O=1/(m.x*v.y-v.x*m.y);isFinite(O)&&(g.copy(u).multiplyScalar(v.y).addScaledVector(d,-m.y).multiplyScalar(O),p.copy(d).multiplyScalar(m.x).addScaledVector(u,-v.x).multiplyScalar(O),o[P].add(g),o[C].add(g),o[F].add(g),l[P].add(p),l[C].add(p),l[F].add(p))}let E=this.groups;E.length===0&&(E=[{start:0,count:e.count}]);for(let P=0,C=E.length;P<C;++P){const F=E[P],O=F.start,X=F.count;for(let I=O,z=O+X;I<z;I+=3)S(e.getX(I+0),e.getX(I+1),e.getX(I+2))}const x=new L,T=new L,A=new L,_=new L;function y(P){A.fromBufferAttribute(s,P),_.copy(A);const C=o[P];x.copy(C),x.sub(A.multiplyScalar(A.dot(C))).normalize(),T.crossVectors(_,C);const O=T.dot(l[P])<0?-1:1;a.setXYZW(P,x.x,x.y,x.z,O)}for(let P=0,C=n.count;P<C;++P)c[P]&&y(P);this._transformed=!0}computeVertexNormals(){const e=this.index,t=this.getAttribute("position");if(t!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==t.count)n=new Ut(new Float32Array(t.count*3),3),this.setAttribute("normal",n);else for(let d=0,f=n.count;d<f;d++)n.setXYZ(d,0,0,0);const s=new L,r=new L,a=new L,o=new L,l=new L,c=new L,h=new L,u=new L;if(e)for(let d=0,f=e.count;d<f;d+=3){const m=e.getX(d+0),v=e.getX(d+1),g=e.getX(d+2);s.fromBufferAttribute(t,m),r.fromBufferAttribute(t,v),a.fromBufferAttribute(t,g),h.subVectors(a,r),u.subVectors(s,r),h.cross(u),o.fromBufferAttribute(n,m),l.fromBufferAttribute(n,v),c.fromBufferAttribute(n,g),o.add(h),l.add(h),c.add(h),n.setXYZ(m,o.x,o.y,o.z),n.setXYZ(v,l.x,l.y,l.z),n.setXYZ(g,c.x,c.y,c.z)}else for(let d=0,f=t.count;d<f;d+=3)s.fromBufferAttribute(t,d+0),r.fromBufferAttribute(t,d+1),a.fromBufferAttribute(t,d+2),h.subVectors(a,r),u.subVectors(s,r),h.cross(u),n.setXYZ(d+0,h.x,h.y,h.z),n.setXYZ(d+1,h.x,h.y,h.z),n.setXYZ(d+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){const e=this.attributes.normal;for(let t=0,n=e.count;t<n;t++)Rt.fromBufferAttribute(e,t),Rt.normalize(),e.setXYZ(t,Rt.x,Rt.y,Rt.z)}toNonIndexed(){function e(o,l){const c=o.array,h=o.itemSize,u=o.normalized,d=new c.constructor(l.length*h);let f=0,m=0;for(let v=0,g=l.length;v<g;v++){o.isInterleavedBufferAttribute?f=l[v]*o.data.stride+o.offset:f=l[v]*h;for(let p=0;p<h;p++)d[m++]=c[f++]}return new Ut(d,h,u)}if(this.index===null)return Pe("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;const t=new mt,n=this.index.array,s=this.attributes;for(const o in s){const l=s[o],c=e(l,n);t.setAttribute(o,c)}const r=this.morphAttributes;for(const o in r){const l=[],c=r[o];for(let h=0,u=c.length;h<u;h++){const d=c[h],f=e(d,n);l.push(f)}t.morphAttributes[o]=l}t.morphTargetsRelative=this.morphTargetsRelative;const a=this.groups;for(let o=0,l=a.length;o<l;o++){const c=a[o];t.addGroup(c.start,c.count,c.materialIndex)}return t}toJSON(){const e={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(e.uuid=this.uuid,e.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,e.name=this.name,Object.keys(this.userData).length>0&&(e.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){const l=this.parameters;for(const c in l)l[c]!==void 0&&(e[c]=l[c]);return e}e.data={attributes:{}};const t=this.index;t!==null&&(e.data.index={type:t.array.constructor.name,array:Array.prototype.slice.call(t.array)});const n=this.attributes;for(const l in n){const c=n[l];e.data.attributes[l]=c.toJSON(e.data)}const s={};let r=!1;for(const l in this.morphAttributes){const c=this.morphAttributes[l],h=[];for(let u=0,d=c.length;u<d;u++){const f=c[u];h.push(f.toJSON(e.data))}h.length>0&&(s[l]=h,r=!0)}r&&(e.data.morphAttributes=s,e.data.morphTargetsRelative=this.morphTargetsRelative);const a=this.groups;a.length>0&&(e.data.groups=JSON.parse(JSON.stringify(a)));const o=this.boundingSphere;return o!==null&&(e.data.boundingSphere=o.toJSON()),e}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;const t={};this.name=e.name;const n=e.index;n!==null&&this.setIndex(n.clone());const s=e.attributes;for(const c in s){const h=s[c];this.setAttribute(c,h.clone(t))}const r=e.morphAttributes;for(const c in r){const h=[],u=r[c];for(let d=0,f=u.length;d<f;d++)h.push(u[d].clone(t));this.morphAttributes[c]=h}this.morphTargetsRelative=e.morphTargetsRelative;const a=e.groups;for(let c=0,h=a.length;c<h;c++){const u=a[c];this.addGroup(u.start,u.count,u.materialIndex)}const o=e.boundingBox;o!==null&&(this.boundingBox=o.clone());const l=e.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this._transformed=e._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}}const Mr=new L,Kl=new L,Jl=new Ue;class Fn{constructor(e=new L(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,n,s){return this.normal.set(e,t,n),this.constant=s,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,n){const s=Mr.subVectors(n,t).cross(Kl.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(s,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){const e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,n=!0){const s=e.delta(Mr),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;const a=-(e.start.dot(this.normal)+this.constant)/r;return n===!0&&(a<0||a>1)?null:t.copy(e.start).addScaledVector(s,a)}intersectsLine(e){const t=this.distanceToPoint(e.start),n=this.distanceToPoint(e.end);return t<0&&n>0||n<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){const n=t||Jl.getNormalMatrix(e),s=this.coplanarPoint(Mr).applyMatrix4(e),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(e){return this.normal.fromArray(e.normal),this.constant=e.constant,this}}let Ql=0;class Si extends Bn{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:Ql++}),this.uuid=zi(),this.name="",this.type="Material",this.blending=1,this.side=0,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=204,this.blendDst=205,this.blendEquation=100,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Ie(0,0,0),this.blendAlpha=0,this.depthFunc=3,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=519,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=7680,this.stencilZFail=7680,this.stencilZPass=7680,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(e){this._alphaTest>0!=e>0&&this.version++,this._alphaTest=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(const t in e){const n=e[t];if(n===void 0){Pe(`Material: parameter '${t}' has value of undefined.`);continue}const s=this[t];if(s===void 0){Pe(`Material: '${t}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[t]=n}}toJSON(e){const t=e===void 0||typeof e=="string";t&&(e={textures:{},images:{}});const n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(e).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(e).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(e).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(e).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(e).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(e).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(e).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(e).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(e).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(e).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(e).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(e).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(e).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(e).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(e).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(e).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(e).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(e).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(e).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(e).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(e).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(e).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(e).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(e).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(e).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(e).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(e).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){const a=[];for(const o in r){const l=r[o];delete l.metadata,a.push(l)}return a}if(t){const r=s(e.textures),a=s(e.images);r.length>0&&(n.textures=r),a.length>0&&(n.images=a)}return n}fromJSON(e,t){if(e.uuid!==void 0&&(this.uuid=e.uuid),e.name!==void 0&&(this.name=e.name),e.color!==void 0&&this.color!==void 0&&this.color.setHex(e.color),e.roughness!==void 0&&(this.roughness=e.roughness),e.metalness!==void 0&&(this.metalness=e.metalness),e.sheen!==void 0&&(this.sheen=e.sheen),e.sheenColor!==void 0&&(this.sheenColor=new Ie().setHex(e.sheenColor)),e.sheenRoughness!==void 0&&(this.sheenRoughness=e.sheenRoughness),e.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(e.emissive),e.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(e.specular),e.specularIntensity!==void 0&&(this.specularIntensity=e.specularIntensity),e.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(e.specularColor),e.shininess!==void 0&&(this.shininess=e.shininess),e.clearcoat!==void 0&&(this.clearcoat=e.clearcoat),e.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=e.clearcoatRoughness),e.diffuseRoughness!==void 0&&(this.diffuseRoughness=e.diffuseRoughness),e.dispersion!==void 0&&(this.dispersion=e.dispersion),e.retroreflectivity!==void 0&&(this.retroreflectivity=e.retroreflectivity),e.iridescence!==void 0&&(this.iridescence=e.iridescence),e.iridescenceIOR!==void 0&&(this.iridescenceIOR=e.iridescenceIOR),e.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum),e.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum),e.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=e.iridescenceThicknessRange[1]),e.transmission!==void 0&&(this.transmission=e.transmission),e.thickness!==void 0&&(this.thickness=e.thickness),e.attenuationDistance!==void 0&&(this.attenuationDistance=e.attenuationDistance),e.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(e.attenuationColor),e.anisotropy!==void 0&&(this.anisotropy=e.anisotropy),e.anisotropyRotation!==void 0&&(this.anisotropyRotation=e.anisotropyRotation),e.fog!==void 0&&(this.fog=e.fog),e.flatShading!==void 0&&(this.flatShading=e.flatShading),e.blending!==void 0&&(this.blending=e.blending),e.combine!==void 0&&(this.combine=e.combine),e.side!==void 0&&(this.side=e.side),e.shadowSide!==void 0&&(this.shadowSide=e.shadowSide),e.opacity!==void 0&&(this.opacity=e.opacity),e.transparent!==void 0&&(this.transparent=e.transparent),e.alphaTest!==void 0&&(this.alphaTest=e.alphaTest),e.alphaHash!==void 0&&(this.alphaHash=e.alphaHash),e.depthFunc!==void 0&&(this.depthFunc=e.depthFunc),e.depthTest!==void 0&&(this.depthTest=e.depthTest),e.depthWrite!==void 0&&(this.depthWrite=e.depthWrite),e.colorWrite!==void 0&&(this.colorWrite=e.colorWrite),e.clippingPlanes!==void 0&&(this.clippingPlanes=e.clippingPlanes.map(n=>new Fn().fromJSON(n))),e.clipIntersection!==void 0&&(this.clipIntersection=e.clipIntersection),e.clipShadows!==void 0&&(this.clipShadows=e.clipShadows),e.depthPacking!==void 0&&(this.depthPacking=e.depthPacking),e.blendSrc!==void 0&&(this.blendSrc=e.blendSrc),e.blendDst!==void 0&&(this.blendDst=e.blendDst),e.blendEquation!==void 0&&(this.blendEquation=e.blendEquation),e.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=e.blendSrcAlpha),e.blendDstAlpha!==void 0&&(this.blendDstAlpha=e.blendDstAlpha),e.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=e.blendEquationAlpha),e.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(e.blendColor),e.blendAlpha!==void 0&&(this.blendAlpha=e.blendAlpha),e.stencilWriteMask!==void 0&&(this.stencilWriteMask=e.stencilWriteMask),e.stencilFunc!==void 0&&(this.stencilFunc=e.stencilFunc),e.stencilRef!==void 0&&(this.stencilRef=e.stencilRef),e.stencilFuncMask!==void 0&&(this.stencilFuncMask=e.stencilFuncMask),e.stencilFail!==void 0&&(this.stencilFail=e.stencilFail),e.stencilZFail!==void 0&&(this.stencilZFail=e.stencilZFail),e.stencilZPass!==void 0&&(this.stencilZPass=e.stencilZPass),e.stencilWrite!==void 0&&(this.stencilWrite=e.stencilWrite),e.wireframe!==void 0&&(this.wireframe=e.wireframe),e.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=e.wireframeLinewidth),e.wireframeLinecap!==void 0&&(this.wireframeLinecap=e.wireframeLinecap),e.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=e.wireframeLinejoin),e.rotation!==void 0&&(this.rotation=e.rotation),e.linewidth!==void 0&&(this.linewidth=e.linewidth),e.linecap!==void 0&&(this.linecap=e.linecap),e.linejoin!==void 0&&(this.linejoin=e.linejoin),e.dashSize!==void 0&&(this.dashSize=e.dashSize),e.gapSize!==void 0&&(this.gapSize=e.gapSize),e.scale!==void 0&&(this.scale=e.scale),e.polygonOffset!==void 0&&(this.polygonOffset=e.polygonOffset),e.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=e.polygonOffsetFactor),e.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=e.polygonOffsetUnits),e.dithering!==void 0&&(this.dithering=e.dithering),e.alphaToCoverage!==void 0&&(this.alphaToCoverage=e.alphaToCoverage),e.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=e.premultipliedAlpha),e.forceSinglePass!==void 0&&(this.forceSinglePass=e.forceSinglePass),e.allowOverride!==void 0&&(this.allowOverride=e.allowOverride),e.visible!==void 0&&(this.visible=e.visible),e.toneMapped!==void 0&&(this.toneMapped=e.toneMapped),e.userData!==void 0&&(this.userData=e.userData),e.vertexColors!==void 0&&(typeof e.vertexColors=="number"?this.vertexColors=e.vertexColors>0:this.vertexColors=e.vertexColors),e.size!==void 0&&(this.size=e.size),e.sizeAttenuation!==void 0&&(this.sizeAttenuation=e.sizeAttenuation),e.map!==void 0&&(this.map=t[e.map]||null),e.matcap!==void 0&&(this.matcap=t[e.matcap]||null),e.alphaMap!==void 0&&(this.alphaMap=t[e.alphaMap]||null),e.bumpMap!==void 0&&(this.bumpMap=t[e.bumpMap]||null),e.bumpScale!==void 0&&(this.bumpScale=e.bumpScale),e.normalMap!==void 0&&(this.normalMap=t[e.normalMap]||null),e.normalMapType!==void 0&&(this.normalMapType=e.normalMapType),e.normalScale!==void 0){let n=e.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new qe().fromArray(n)}return e.displacementMap!==void 0&&(this.displacementMap=t[e.displacementMap]||null),e.displacementScale!==void 0&&(this.displacementScale=e.displacementScale),e.displacementBias!==void 0&&(this.displacementBias=e.displacementBias),e.roughnessMap!==void 0&&(this.roughnessMap=t[e.roughnessMap]||null),e.metalnessMap!==void 0&&(this.metalnessMap=t[e.metalnessMap]||null),e.emissiveMap!==void 0&&(this.emissiveMap=t[e.emissiveMap]||null),e.emissiveIntensity!==void 0&&(this.emissiveIntensity=e.emissiveIntensity),e.specularMap!==void 0&&(this.specularMap=t[e.specularMap]||null),e.specularIntensityMap!==void 0&&(this.specularIntensityMap=t[e.specularIntensityMap]||null),e.specularColorMap!==void 0&&(this.specularColorMap=t[e.specularColorMap]||null),e.envMap!==void 0&&(this.envMap=t[e.envMap]||null),e.envMapRotation!==void 0&&this.envMapRotation.fromArray(e.envMapRotation),e.envMapIntensity!==void 0&&(this.envMapIntensity=e.envMapIntensity),e.reflectivity!==void 0&&(this.reflectivity=e.reflectivity),e.refractionRatio!==void 0&&(this.refractionRatio=e.refractionRatio),e.lightMap!==void 0&&(this.lightMap=t[e.lightMap]||null),e.lightMapIntensity!==void 0&&(this.lightMapIntensity=e.lightMapIntensity),e.aoMap!==void 0&&(this.aoMap=t[e.aoMap]||null),e.aoMapIntensity!==void 0&&(this.aoMapIntensity=e.aoMapIntensity),e.gradientMap!==void 0&&(this.gradientMap=t[e.gradientMap]||null),e.clearcoatMap!==void 0&&(this.clearcoatMap=t[e.clearcoatMap]||null),e.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=t[e.clearcoatRoughnessMap]||null),e.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=t[e.clearcoatNormalMap]||null),e.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new qe().fromArray(e.clearcoatNormalScale)),e.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=t[e.diffuseRoughnessMap]||null),e.iridescenceMap!==void 0&&(this.iridescenceMap=t[e.iridescenceMap]||null),e.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=t[e.iridescenceThicknessMap]||null),e.transmissionMap!==void 0&&(this.transmissionMap=t[e.transmissionMap]||null),e.thicknessMap!==void 0&&(this.thicknessMap=t[e.thicknessMap]||null),e.anisotropyMap!==void 0&&(this.anisotropyMap=t[e.anisotropyMap]||null),e.sheenColorMap!==void 0&&(this.sheenColorMap=t[e.sheenColorMap]||null),e.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=t[e.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;const t=e.clippingPlanes;let n=null;if(t!==null){const s=t.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=t[r].clone()}return this.clippingPlanes=n,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(e){e===!0&&this.version++}}const Mn=new L,yr=new L,es=new L,ts=new L;class js{constructor(e=new L,t=new L(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,Mn)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);const n=t.dot(this.direction);return n<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){const t=Mn.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):(Mn.copy(this.origin).addScaledVector(this.direction,t),Mn.distanceToSquared(e))}distanceSqToSegment(e,t,n,s){yr.copy(e).add(t).multiplyScalar(.5),es.copy(t).sub(e).normalize(),ts.copy(this.origin).sub(yr);const r=e.distanceTo(t)*.5,a=-this.direction.dot(es),o=ts.dot(this.direction),l=-ts.dot(es),c=ts.lengthSq(),h=Math.abs(1-a*a);let u,d,f,m;if(h>0)if(u=a*l-o,d=a*o-l,m=r*h,u>=0)if(d>=-m)if(d<=m){const v=1/h;u*=v,d*=v,f=u*(u+a*d+2*o)+d*(a*u+d+2*l)+c}else d=r,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*l)+c;else d=-r,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*l)+c;else d<=-m?(u=Math.max(0,-(-a*r+o)),d=u>0?-r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c):d<=m?(u=0,d=Math.min(Math.max(-r,-l),r),f=d*(d+2*l)+c):(u=Math.max(0,-(a*r+o)),d=u>0?r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c);else d=a>0?-r:r,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(yr).addScaledVector(es,d),f}intersectSphere(e,t){if(e.radius<0)return null;Mn.subVectors(e.center,this.origin);const n=Mn.dot(this.direction),s=Mn.dot(Mn)-n*n,r=e.radius*e.radius;if(s>r)return null;const a=Math.sqrt(r-s),o=n-a,l=n+a;return l<0?null:o<0?this.at(l,t):this.at(o,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){const t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;const n=-(this.origin.dot(e.normal)+e.constant)/t;return n>=0?n:null}intersectPlane(e,t){const n=this.distanceToPlane(e);return n===null?null:this.at(n,t)}intersectsPlane(e){const t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let n,s,r,a,o,l;const c=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(n=(e.min.x-d.x)*c,s=(e.max.x-d.x)*c):(n=(e.max.x-d.x)*c,s=(e.min.x-d.x)*c),h>=0?(r=(e.min.y-d.y)*h,a=(e.max.y-d.y)*h):(r=(e.max.y-d.y)*h,a=(e.min.y-d.y)*h),n>a||r>s||((r>n||isNaN(n))&&(n=r),(a<s||isNaN(s))&&(s=a),u>=0?(o=(e.min.z-d.z)*u,l=(e.max.z-d.z)*u):(o=(e.max.z-d.z)*u,l=(e.min.z-d.z)*u),n>l||o>s)||((o>n||n!==n)&&(n=o),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,t)}intersectsBox(e){return this.intersectBox(e,Mn)!==null}intersectTriangle(e,t,n,s,r){const a=this.origin,o=this.direction,l=o.x,c=o.y,h=o.z,u=e.x-a.x,d=e.y-a.y,f=e.z-a.z,m=t.x-a.x,v=t.y-a.y,g=t.z-a.z,p=n.x-a.x,S=n.y-a.y,E=n.z-a.z,x=Math.abs(l),T=Math.abs(c),A=Math.abs(h);let _,y,P,C,F,O,X,I,z,Y,B,te;if(x>=T&&x>=A?(P=l,O=u,z=m,te=p,l>=0?(_=c,y=h,C=d,F=f,X=v,I=g,Y=S,B=E):(_=h,y=c,C=f,F=d,X=g,I=v,Y=E,B=S)):T>=A?(P=c,O=d,z=v,te=S,c>=0?(_=h,y=l,C=f,F=u,X=g,I=m,Y=E,B=p):(_=l,y=h,C=u,F=f,X=m,I=g,Y=p,B=E)):(P=h,O=f,z=g,te=E,h>=0?(_=l,y=c,C=u,F=d,X=m,I=v,Y=p,B=S):(_=c,y=l,C=d,F=u,X=v,I=m,Y=S,B=p)),P===0)return null;const V=_/P,Q=y/P,ee=1/P,xe=C-V*O,Le=F-Q*O,Z=X-V*z,me=I-Q*z,Me=Y-V*te,Ae=B-Q*te,ge=Me*me-Ae*Z,Fe=xe*Ae-Le*Me,gt=Z*Le-me*xe;if(s){if(ge<0||Fe<0||gt<0)return null}else if((ge<0||Fe<0||gt<0)&&(ge>0||Fe>0||gt>0))return null;const Ce=ge+Fe+gt;if(Ce===0)return null;const Je=ee*(ge*O+Fe*z+gt*te);return(Ce>0?Je<0:Je>0)?null:this.at(Je/Ce,r)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}}class Gi extends Si{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new Ie(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new On,this.combine=0,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}}const wa=new Ze,Xn=new js,ns=new Qn,Ea=new L,is=new L,ss=new L,rs=new L,br=new L,as=new L,Ta=new L,os=new L;class ve extends yt{constructor(e=new mt,t=new Gi){super(),this.isMesh=!0,this.type="Mesh",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){const t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){const s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,a=s.length;r<a;r++){const o=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[o]=r}}}}getVertexPosition(e,t){const n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,a=n.morphTargetsRelative;t.fromBufferAttribute(s,e);const o=this.morphTargetInfluences;if(r&&o){as.set(0,0,0);for(let l=0,c=r.length;l<c;l++){const h=o[l],u=r[l];h!==0&&(br.fromBufferAttribute(u,e),a?as.addScaledVector(br,h):as.addScaledVector(br.sub(t),h))}t.add(as)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){const n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),ns.copy(n.boundingSphere),ns.applyMatrix4(r),Xn.copy(e.ray).recast(e.near),!(ns.containsPoint(Xn.origin)===!1&&(Xn.intersectSphere(ns,Ea)===null||Xn.origin.distanceToSquared(Ea)>(e.far-e.near)**2))&&(wa.copy(r).invert(),Xn.copy(e.ray).applyMatrix4(wa),!(n.boundingBox!==null&&Xn.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(e,t,Xn)))}_computeIntersections(e,t,n){let s;const r=this.geometry,a=this.material,o=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,d=r.groups,f=r.drawRange;if(o!==null)if(Array.isArray(a))for(let m=0,v=d.length;m<v;m++){const g=d[m],p=a[g.materialIndex],S=Math.max(g.start,f.start),E=Math.min(o.count,Math.min(g.start+g.count,f.start+f.count));for(let x=S,T=E;x<T;x+=3){const A=o.getX(x),_=o.getX(x+1),y=o.getX(x+2);s=ls(this,p,e,n,c,h,u,A,_,y),s&&(s.faceIndex=Math.floor(x/3),s.face.materialIndex=g.materialIndex,t.push(s))}}else{const m=Math.max(0,f.start),v=Math.min(o.count,f.start+f.count);for(let g=m,p=v;g<p;g+=3){const S=o.getX(g),E=o.getX(g+1),x=o.getX(g+2);s=ls(this,a,e,n,c,h,u,S,E,x),s&&(s.faceIndex=Math.floor(g/3),t.push(s))}}else if(l!==void 0)if(Array.isArray(a))for(let m=0,v=d.length;m<v;m++){const g=d[m],p=a[g.materialIndex],S=Math.max(g.start,f.start),E=Math.min(l.count,Math.min(g.start+g.count,f.start+f.count));for(let x=S,T=E;x<T;x+=3){const A=x,_=x+1,y=x+2;s=ls(this,p,e,n,c,h,u,A,_,y),s&&(s.faceIndex=Math.floor(x/3),s.face.materialIndex=g.materialIndex,t.push(s))}}else{const m=Math.max(0,f.start),v=Math.min(l.count,f.start+f.count);for(let g=m,p=v;g<p;g+=3){const S=g,E=g+1,x=g+2;s=ls(this,a,e,n,c,h,u,S,E,x),s&&(s.faceIndex=Math.floor(g/3),t.push(s))}}}}function ec(i,e,t,n,s,r,a,o){let l;if(e.side===1?l=n.intersectTriangle(a,r,s,!0,o):l=n.intersectTriangle(s,r,a,e.side===0,o),l===null)return null;os.copy(o),os.applyMatrix4(i.matrixWorld);const c=t.ray.origin.distanceTo(os);return c<t.near||c>t.far?null:{distance:c,point:os.clone(),object:i}}function ls(i,e,t,n,s,r,a,o,l,c){i.getVertexPosition(o,is),i.getVertexPosition(l,ss),i.getVertexPosition(c,rs);const h=ec(i,e,t,n,is,ss,rs,Ta);if(h){const u=new L;Qt.getBarycoord(Ta,is,ss,rs,u),s&&(h.uv=Qt.getInterpolatedAttribute(s,o,l,c,u,new qe)),r&&(h.uv1=Qt.getInterpolatedAttribute(r,o,l,c,u,new qe)),a&&(h.normal=Qt.getInterpolatedAttribute(a,o,l,c,u,new L),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));const d={a:o,b:l,c,normal:new L,materialIndex:0};Qt.getNormal(is,ss,rs,d.normal),h.face=d,h.barycoord=u}return h}class Hi extends Ot{constructor(e=null,t=1,n=1,s,r,a,o,l,c=1003,h=1003,u,d){super(null,a,o,l,c,h,s,r,u,d),this.isDataTexture=!0,this.image={data:e,width:t,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}}class Fr extends Ut{constructor(e,t,n,s=1){super(e,t,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}toJSON(){const e=super.toJSON();return e.meshPerAttribute=this.meshPerAttribute,e.isInstancedBufferAttribute=!0,e}}const hi=new Ze,Aa=new Ze,cs=[],Ra=new en,tc=new Ze,Ai=new ve,Ri=new Qn;class Ho extends ve{constructor(e,t,n){super(e,t),this.isInstancedMesh=!0,this.instanceMatrix=new Fr(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,tc)}computeBoundingBox(){const e=this.geometry,t=this.count;this.boundingBox===null&&(this.boundingBox=new en),e.boundingBox===null&&e.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,hi),Ra.copy(e.boundingBox).applyMatrix4(hi),this.boundingBox.union(Ra)}computeBoundingSphere(){const e=this.geometry,t=this.count;this.boundingSphere===null&&(this.boundingSphere=new Qn),e.boundingSphere===null&&e.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,hi),Ri.copy(e.boundingSphere).applyMatrix4(hi),this.boundingSphere.union(Ri)}copy(e,t){return super.copy(e,t),this.instanceMatrix.copy(e.instanceMatrix),this.morphTexture=e.morphTexture!==null?e.morphTexture.clone():null,this.instanceColor=e.instanceColor!==null?e.instanceColor.clone():null,this.count=e.count,this.boundingBox=e.boundingBox!==null?e.boundingBox.clone():null,this.boundingSphere=e.boundingSphere!==null?e.boundingSphere.clone():null,this}getColorAt(e,t){return this.instanceColor===null?t.setRGB(1,1,1):t.fromArray(this.instanceColor.array,e*3)}getMatrixAt(e,t){return t.fromArray(this.instanceMatrix.array,e*16)}getMorphAt(e,t){const n=t.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,a=e*r+1;for(let o=0;o<n.length;o++)n[o]=s[a+o]}raycast(e,t){const n=this.matrixWorld,s=this.count;if(Ai.geometry=this.geometry,Ai.material=this.material,Ai.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Ri.copy(this.boundingSphere),Ri.applyMatrix4(n),e.ray.intersectsSphere(Ri)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,hi),Aa.multiplyMatrices(n,hi),Ai.matrixWorld=Aa,Ai.raycast(e,cs);for(let a=0,o=cs.length;a<o;a++){const l=cs[a];l.instanceId=r,l.object=this,t.push(l)}cs.length=0}}setColorAt(e,t){return this.instanceColor===null&&(this.instanceColor=new Fr(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),t.toArray(this.instanceColor.array,e*3),this}setMatrixAt(e,t){return t.toArray(this.instanceMatrix.array,e*16),this}setMorphAt(e,t){const n=t.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new Hi(new Float32Array(s*this.count),s,this.count,1028,1015));const r=this.morphTexture.source.data.data;let a=0;for(let c=0;c<n.length;c++)a+=n[c];const o=this.geometry.morphTargetsRelative?1:1-a,l=s*e;return r[l]=o,r.set(n,l+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}}const qn=new Qn,nc=new qe(.5,.5),hs=new L;class Ws{constructor(e=new Fn,t=new Fn,n=new Fn,s=new Fn,r=new Fn,a=new Fn){this.planes=[e,t,n,s,r,a]}set(e,t,n,s,r,a){const o=this.planes;return o[0].copy(e),o[1].copy(t),o[2].copy(n),o[3].copy(s),o[4].copy(r),o[5].copy(a),this}copy(e){const t=this.planes;for(let n=0;n<6;n++)t[n].copy(e.planes[n]);return this}setFromProjectionMatrix(e,t=2e3,n=!1){const s=this.planes,r=e.elements,a=r[0],o=r[1],l=r[2],c=r[3],h=r[4],u=r[5],d=r[6],f=r[7],m=r[8],v=r[9],g=r[10],p=r[11],S=r[12],E=r[13],x=r[14],T=r[15];if(s[0].setComponents(c-a,f-h,p-m,T-S).normalize(),s[1].setComponents(c+a,f+h,p+m,T+S).normalize(),s[2].setComponents(c+o,f+u,p+v,T+E).normalize(),s[3].setComponents(c-o,f-u,p-v,T-E).normalize(),n)s[4].setComponents(l,d,g,x).normalize(),s[5].setComponents(c-l,f-d,p-g,T-x).normalize();else if(s[4].setComponents(c-l,f-d,p-g,T-x).normalize(),t===2e3)s[5].setComponents(c+l,f+d,p+g,T+x).normalize();else if(t===2001)s[5].setComponents(l,d,g,x).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),qn.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{const t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),qn.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(qn)}intersectsSprite(e){qn.center.set(0,0,0);const t=nc.distanceTo(e.center);return qn.radius=.7071067811865476+t,qn.applyMatrix4(e.matrixWorld),this.intersectsSphere(qn)}intersectsSphere(e){const t=this.planes,n=e.center,s=-e.radius;for(let r=0;r<6;r++)if(t[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(e){const t=this.planes;for(let n=0;n<6;n++){const s=t[n];if(hs.x=s.normal.x>0?e.max.x:e.min.x,hs.y=s.normal.y>0?e.max.y:e.min.y,hs.z=s.normal.z>0?e.max.z:e.min.z,s.distanceToPoint(hs)<0)return!1}return!0}containsPoint(e){const t=this.planes;for(let n=0;n<6;n++)if(t[n].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}}const Ca=new Ze;class jr{constructor(){this.coordinateSystem=2e3,this._frustums=[],this._count=0}setFromArrayCamera(e){const t=e.cameras,n=this._frustums;for(let s=0;s<t.length;s++){const r=t[s];Ca.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new Ws),n[s].setFromProjectionMatrix(Ca,r.coordinateSystem,r.reversedDepth)}return this._count=t.length,this}getFrustum(e){return this._frustums[e]}intersectsObject(e){const t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsObject(e))return!0;return!1}intersectsSprite(e){const t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSprite(e))return!0;return!1}intersectsSphere(e){const t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSphere(e))return!0;return!1}intersectsBox(e){const t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsBox(e))return!0;return!1}containsPoint(e){const t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;const t=this._frustums,n=e._frustums;for(let s=0;s<e._count;s++)t[s]===void 0&&(t[s]=new Ws),t[s].copy(n[s]);return this._count=e._count,this}clone(){return new jr().copy(this)}}class Ks extends Si{constructor(e){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new Ie(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.linewidth=e.linewidth,this.linecap=e.linecap,this.linejoin=e.linejoin,this.fog=e.fog,this}}const Xs=new L,qs=new L,Pa=new Ze,Ci=new js,us=new Qn,wr=new L,La=new L;class dn extends yt{constructor(e=new mt,t=new Ks){super(),this.isLine=!0,this.type="Line",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}computeLineDistances(){const e=this.geometry;if(e.index===null){const t=e.attributes.position,n=[0];for(let s=1,r=t.count;s<r;s++)Xs.fromBufferAttribute(t,s-1),qs.fromBufferAttribute(t,s),n[s]=n[s-1],n[s]+=Xs.distanceTo(qs);e.setAttribute("lineDistance",new tt(n,1))}else Pe("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){const n=this.geometry,s=this.matrixWorld,r=e.params.Line.threshold,a=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),us.copy(n.boundingSphere),us.applyMatrix4(s),us.radius+=r,e.ray.intersectsSphere(us)===!1)return;Pa.copy(s).invert(),Ci.copy(e.ray).applyMatrix4(Pa);const o=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=o*o,c=this.isLineSegments?2:1,h=n.index,d=n.attributes.position;if(h!==null){const f=Math.max(0,a.start),m=Math.min(h.count,a.start+a.count);for(let v=f,g=m-1;v<g;v+=c){const p=h.getX(v),S=h.getX(v+1),E=ds(this,e,Ci,l,p,S,v);E&&t.push(E)}if(this.isLineLoop){const v=h.getX(m-1),g=h.getX(f),p=ds(this,e,Ci,l,v,g,m-1);p&&t.push(p)}}else{const f=Math.max(0,a.start),m=Math.min(d.count,a.start+a.count);for(let v=f,g=m-1;v<g;v+=c){const p=ds(this,e,Ci,l,v,v+1,v);p&&t.push(p)}if(this.isLineLoop){const v=ds(this,e,Ci,l,m-1,f,m-1);v&&t.push(v)}}}updateMorphTargets(){const t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){const s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,a=s.length;r<a;r++){const o=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[o]=r}}}}}function ds(i,e,t,n,s,r,a){const o=i.geometry.attributes.position;if(Xs.fromBufferAttribute(o,s),qs.fromBufferAttribute(o,r),t.distanceSqToSegment(Xs,qs,wr,La)>n)return;wr.applyMatrix4(i.matrixWorld);const c=e.ray.origin.distanceTo(wr);if(!(c<e.near||c>e.far))return{distance:c,point:La.clone().applyMatrix4(i.matrixWorld),index:a,face:null,faceIndex:null,barycoord:null,object:i}}const Da=new L,Ia=new L;class ic extends dn{constructor(e,t){super(e,t),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){const e=this.geometry;if(e.index===null){const t=e.attributes.position,n=[];for(let s=0,r=t.count;s<r;s+=2)Da.fromBufferAttribute(t,s),Ia.fromBufferAttribute(t,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+Da.distanceTo(Ia);e.setAttribute("lineDistance",new tt(n,1))}else Pe("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}}class Vo extends Si{constructor(e){super(),this.isPointsMaterial=!0,this.type="PointsMaterial",this.color=new Ie(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.size=e.size,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}}const Na=new Ze,Ur=new js,fs=new Qn,ps=new L;class sc extends yt{constructor(e=new mt,t=new Vo){super(),this.isPoints=!0,this.type="Points",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){const n=this.geometry,s=this.matrixWorld,r=e.params.Points.threshold,a=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),fs.copy(n.boundingSphere),fs.applyMatrix4(s),fs.radius+=r,e.ray.intersectsSphere(fs)===!1)return;Na.copy(s).invert(),Ur.copy(e.ray).applyMatrix4(Na);const o=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=o*o,c=n.index,u=n.attributes.position;if(c!==null){const d=Math.max(0,a.start),f=Math.min(c.count,a.start+a.count);for(let m=d,v=f;m<v;m++){const g=c.getX(m);ps.fromBufferAttribute(u,g),Fa(ps,g,l,s,e,t,this)}}else{const d=Math.max(0,a.start),f=Math.min(u.count,a.start+a.count);for(let m=d,v=f;m<v;m++)ps.fromBufferAttribute(u,m),Fa(ps,m,l,s,e,t,this)}}updateMorphTargets(){const t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){const s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,a=s.length;r<a;r++){const o=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[o]=r}}}}}function Fa(i,e,t,n,s,r,a){const o=Ur.distanceSqToPoint(i);if(o<t){const l=new L;Ur.closestPointToPoint(i,l),l.applyMatrix4(n);const c=s.ray.origin.distanceTo(l);if(c<s.near||c>s.far)return;r.push({distance:c,distanceToRay:Math.sqrt(o),point:l,index:e,face:null,faceIndex:null,barycoord:null,object:a})}}class Wo extends Ot{constructor(e=[],t=301,n,s,r,a,o,l,c,h){super(e,t,n,s,r,a,o,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}}class gi extends Ot{constructor(e,t,n=1014,s,r,a,o=1003,l=1003,c,h=1026,u=1){if(h!==1026&&h!==1027)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");const d={width:e,height:t,depth:u};super(d,s,r,a,o,l,h,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new Yr(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}toJSON(e){const t=super.toJSON(e);return t.compareFunction=this.compareFunction,t}}class Xo extends gi{constructor(e,t=1014,n=301,s,r,a=1003,o=1003,l,c=1026){const h={width:e,height:e,depth:1},u=[h,h,h,h,h,h];super(e,e,t,n,s,r,a,o,l,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}}class qo extends Ot{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}}class ft extends mt{constructor(e=1,t=1,n=1,s=1,r=1,a=1){super(),this.type="BoxGeometry",this.parameters={width:e,height:t,depth:n,widthSegments:s,heightSegments:r,depthSegments:a};const o=this;s=Math.floor(s),r=Math.floor(r),a=Math.floor(a);const l=[],c=[],h=[],u=[];let d=0,f=0;m("z","y","x",-1,-1,n,t,e,a,r,0),m("z","y","x",1,-1,n,t,-e,a,r,1),m("x","z","y",1,1,e,n,t,s,a,2),m("x","z","y",1,-1,e,n,-t,s,a,3),m("x","y","z",1,-1,e,t,n,s,r,4),m("x","y","z",-1,-1,e,t,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new tt(c,3)),this.setAttribute("normal",new tt(h,3)),this.setAttribute("uv",new tt(u,2));function m(v,g,p,S,E,x,T,A,_,y,P){const C=x/_,F=T/y,O=x/2,X=T/2,I=A/2,z=_+1,Y=y+1;let B=0,te=0;const V=new L;for(let Q=0;Q<Y;Q++){const ee=Q*F-X;for(let xe=0;xe<z;xe++){const Le=xe*C-O;V[v]=Le*S,V[g]=ee*E,V[p]=I,c.push(V.x,V.y,V.z),V[v]=0,V[g]=0,V[p]=A>0?1:-1,h.push(V.x,V.y,V.z),u.push(xe/_),u.push(1-Q/y),B+=1}}for(let Q=0;Q<y;Q++)for(let ee=0;ee<_;ee++){const xe=d+ee+z*Q,Le=d+ee+z*(Q+1),Z=d+(ee+1)+z*(Q+1),me=d+(ee+1)+z*Q;l.push(xe,Le,me),l.push(Le,Z,me),te+=6}o.addGroup(f,te,P),f+=te,d+=B}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new ft(e.width,e.height,e.depth,e.widthSegments,e.heightSegments,e.depthSegments)}}class Ft extends mt{constructor(e=1,t=1,n=1,s=32,r=1,a=!1,o=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:e,radiusBottom:t,height:n,radialSegments:s,heightSegments:r,openEnded:a,thetaStart:o,thetaLength:l};const c=this;s=Math.floor(s),r=Math.floor(r);const h=[],u=[],d=[],f=[];let m=0;const v=[],g=n/2;let p=0;S(),a===!1&&(e>0&&E(!0),t>0&&E(!1)),this.setIndex(h),this.setAttribute("position",new tt(u,3)),this.setAttribute("normal",new tt(d,3)),this.setAttribute("uv",new tt(f,2));function S(){const x=new L,T=new L;let A=0;const _=(t-e)/n;for(let y=0;y<=r;y++){const P=[],C=y/r,F=C*(t-e)+e;for(let O=0;O<=s;O++){const X=O/s,I=X*l+o,z=Math.sin(I),Y=Math.cos(I);T.x=F*z,T.y=-C*n+g,T.z=F*Y,u.push(T.x,T.y,T.z),x.set(z,_,Y).normalize(),d.push(x.x,x.y,x.z),f.push(X,1-C),P.push(m++)}v.push(P)}for(let y=0;y<s;y++)for(let P=0;P<r;P++){const C=v[P][y],F=v[P+1][y],O=v[P+1][y+1],X=v[P][y+1];(e>0||P!==0)&&(h.push(C,F,X),A+=3),(t>0||P!==r-1)&&(h.push(F,O,X),A+=3)}c.addGroup(p,A,0),p+=A}function E(x){const T=m,A=new qe,_=new L;let y=0;const P=x===!0?e:t,C=x===!0?1:-1;for(let O=1;O<=s;O++)u.push(0,g*C,0),d.push(0,C,0),f.push(.5,.5),m++;const F=m;for(let O=0;O<=s;O++){const I=O/s*l+o,z=Math.cos(I),Y=Math.sin(I);_.x=P*Y,_.y=g*C,_.z=P*z,u.push(_.x,_.y,_.z),d.push(0,C,0),A.x=z*.5+.5,A.y=Y*.5*C+.5,f.push(A.x,A.y),m++}for(let O=0;O<s;O++){const X=T+O,I=F+O;x===!0?h.push(I,I+1,X):h.push(I+1,I,X),y+=3}c.addGroup(p,y,x===!0?1:2),p+=y}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new Ft(e.radiusTop,e.radiusBottom,e.height,e.radialSegments,e.heightSegments,e.openEnded,e.thetaStart,e.thetaLength)}}class Kr extends mt{constructor(e=[],t=[],n=1,s=0){super(),this.type="PolyhedronGeometry",this.parameters={vertices:e,indices:t,radius:n,detail:s};const r=[],a=[];o(s),c(n),h(),this.setAttribute("position",new tt(r,3)),this.setAttribute("normal",new tt(r.slice(),3)),this.setAttribute("uv",new tt(a,2)),s===0?this.computeVertexNormals():this.normalizeNormals();function o(S){const E=new L,x=new L,T=new L;for(let A=0;A<t.length;A+=3)f(t[A+0],E),f(t[A+1],x),f(t[A+2],T),l(E,x,T,S)}function l(S,E,x,T){const A=T+1,_=[];for(let y=0;y<=A;y++){_[y]=[];const P=S.clone().lerp(x,y/A),C=E.clone().lerp(x,y/A),F=A-y;for(let O=0;O<=F;O++)O===0&&y===A?_[y][O]=P:_[y][O]=P.clone().lerp(C,O/F)}for(let y=0;y<A;y++)for(let P=0;P<2*(A-y)-1;P++){const C=Math.floor(P/2);P%2===0?(d(_[y][C+1]),d(_[y+1][C]),d(_[y][C])):(d(_[y][C+1]),d(_[y+1][C+1]),d(_[y+1][C]))}}function c(S){const E=new L;for(let x=0;x<r.length;x+=3)E.x=r[x+0],E.y=r[x+1],E.z=r[x+2],E.normalize().multiplyScalar(S),r[x+0]=E.x,r[x+1]=E.y,r[x+2]=E.z}function h(){const S=new L;for(let E=0;E<r.length;E+=3){S.x=r[E+0],S.y=r[E+1],S.z=r[E+2];const x=g(S)/2/Math.PI+.5,T=p(S)/Math.PI+.5;a.push(x,1-T)}m(),u()}function u(){for(let S=0;S<a.length;S+=6){const E=a[S+0],x=a[S+2],T=a[S+4],A=Math.max(E,x,T),_=Math.min(E,x,T);A>.9&&_<.1&&(E<.2&&(a[S+0]+=1),x<.2&&(a[S+2]+=1),T<.2&&(a[S+4]+=1))}}function d(S){r.push(S.x,S.y,S.z)}function f(S,E){const x=S*3;E.x=e[x+0],E.y=e[x+1],E.z=e[x+2]}function m(){const S=new L,E=new L,x=new L,T=new L,A=new qe,_=new qe,y=new qe;for(let P=0,C=0;P<r.length;P+=9,C+=6){S.set(r[P+0],r[P+1],r[P+2]),E.set(r[P+3],r[P+4],r[P+5]),x.set(r[P+6],r[P+7],r[P+8]),A.set(a[C+0],a[C+1]),_.set(a[C+2],a[C+3]),y.set(a[C+4],a[C+5]),T.copy(S).add(E).add(x).divideScalar(3);const F=g(T);v(A,C+0,S,F),v(_,C+2,E,F),v(y,C+4,x,F)}}function v(S,E,x,T){T<0&&S.x===1&&(a[E]=S.x-1),x.x===0&&x.z===0&&(a[E]=T/2/Math.PI+.5)}function g(S){return Math.atan2(S.z,-S.x)}function p(S){return Math.atan2(-S.y,Math.sqrt(S.x*S.x+S.z*S.z))}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new Kr(e.vertices,e.indices,e.radius,e.detail)}}const ms=new L,gs=new L,Er=new L,_s=new Qt;class rc extends mt{constructor(e=null,t=1){if(super(),this.type="EdgesGeometry",this.parameters={geometry:e,thresholdAngle:t},e!==null){const s=Math.pow(10,4),r=Math.cos(Us*t),a=e.getIndex(),o=e.getAttribute("position"),l=a?a.count:o.count,c=[0,0,0],h=["a","b","c"],u=new Array(3),d=new Map,f=[];for(let m=0;m<l;m+=3){a?(c[0]=a.getX(m),c[1]=a.getX(m+1),c[2]=a.getX(m+2)):(c[0]=m,c[1]=m+1,c[2]=m+2);const{a:v,b:g,c:p}=_s;if(v.fromBufferAttribute(o,c[0]),g.fromBufferAttribute(o,c[1]),p.fromBufferAttribute(o,c[2]),_s.getNormal(Er),u[0]=`${Math.round(v.x*s)},${Math.round(v.y*s)},${Math.round(v.z*s)}`,u[1]=`${Math.round(g.x*s)},${Math.round(g.y*s)},${Math.round(g.z*s)}`,u[2]=`${Math.round(p.x*s)},${Math.round(p.y*s)},${Math.round(p.z*s)}`,!(u[0]===u[1]||u[1]===u[2]||u[2]===u[0]))for(let S=0;S<3;S++){const E=(S+1)%3,x=u[S],T=u[E],A=_s[h[S]],_=_s[h[E]],y=`${x}_${T}`,P=`${T}_${x}`,C=d.get(P);C?(Er.dot(C.normal)<=r&&(f.push(A.x,A.y,A.z),f.push(_.x,_.y,_.z)),d.set(P,null)):d.has(y)||d.set(y,{index0:c[S],index1:c[E],normal:Er.clone()})}}for(const m of d.values())if(m){const{index0:v,index1:g}=m;ms.fromBufferAttribute(o,v),gs.fromBufferAttribute(o,g),f.push(ms.x,ms.y,ms.z),f.push(gs.x,gs.y,gs.z)}this.setAttribute("position",new tt(f,3))}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}}class fi extends Kr{constructor(e=1,t=0){const n=[1,0,0,-1,0,0,0,1,0,0,-1,0,0,0,1,0,0,-1],s=[0,2,4,0,4,3,0,3,5,0,5,2,1,2,5,1,5,3,1,3,4,1,4,2];super(n,s,e,t),this.type="OctahedronGeometry",this.parameters={radius:e,detail:t}}static fromJSON(e){return new fi(e.radius,e.detail)}}class Jn extends mt{constructor(e=1,t=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:e,height:t,widthSegments:n,heightSegments:s};const r=e/2,a=t/2,o=Math.floor(n),l=Math.floor(s),c=o+1,h=l+1,u=e/o,d=t/l,f=[],m=[],v=[],g=[];for(let p=0;p<h;p++){const S=p*d-a;for(let E=0;E<c;E++){const x=E*u-r;m.push(x,-S,0),v.push(0,0,1),g.push(E/o),g.push(1-p/l)}}for(let p=0;p<l;p++)for(let S=0;S<o;S++){const E=S+c*p,x=S+c*(p+1),T=S+1+c*(p+1),A=S+1+c*p;f.push(E,x,A),f.push(x,T,A)}this.setIndex(f),this.setAttribute("position",new tt(m,3)),this.setAttribute("normal",new tt(v,3)),this.setAttribute("uv",new tt(g,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new Jn(e.width,e.height,e.widthSegments,e.heightSegments)}}class ki extends mt{constructor(e=1,t=32,n=16,s=0,r=Math.PI*2,a=0,o=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:e,widthSegments:t,heightSegments:n,phiStart:s,phiLength:r,thetaStart:a,thetaLength:o},t=Math.max(3,Math.floor(t)),n=Math.max(2,Math.floor(n));const l=Math.min(a+o,Math.PI);let c=0;const h=[],u=new L,d=new L,f=[],m=[],v=[],g=[];for(let p=0;p<=n;p++){const S=[],E=p/n,x=a+E*o,T=e*Math.cos(x),A=Math.sqrt(e*e-T*T);let _=0;p===0&&a===0?_=.5/t:p===n&&l===Math.PI&&(_=-.5/t);for(let y=0;y<=t;y++){const P=y/t,C=s+P*r;u.x=-A*Math.cos(C),u.y=T,u.z=A*Math.sin(C),m.push(u.x,u.y,u.z),d.copy(u).normalize(),v.push(d.x,d.y,d.z),g.push(P+_,1-E),S.push(c++)}h.push(S)}for(let p=0;p<n;p++)for(let S=0;S<t;S++){const E=h[p][S+1],x=h[p][S],T=h[p+1][S],A=h[p+1][S+1];(p!==0||a>0)&&f.push(E,x,A),(p!==n-1||l<Math.PI)&&f.push(x,T,A)}this.setIndex(f),this.setAttribute("position",new tt(m,3)),this.setAttribute("normal",new tt(v,3)),this.setAttribute("uv",new tt(g,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new ki(e.radius,e.widthSegments,e.heightSegments,e.phiStart,e.phiLength,e.thetaStart,e.thetaLength)}}class jn extends mt{constructor(e=1,t=.4,n=12,s=48,r=Math.PI*2,a=0,o=Math.PI*2){super(),this.type="TorusGeometry",this.parameters={radius:e,tube:t,radialSegments:n,tubularSegments:s,arc:r,thetaStart:a,thetaLength:o},n=Math.floor(n),s=Math.floor(s);const l=[],c=[],h=[],u=[],d=new L,f=new L,m=new L;for(let v=0;v<=n;v++){const g=a+v/n*o;for(let p=0;p<=s;p++){const S=p/s*r;f.x=(e+t*Math.cos(g))*Math.cos(S),f.y=(e+t*Math.cos(g))*Math.sin(S),f.z=t*Math.sin(g),c.push(f.x,f.y,f.z),d.x=e*Math.cos(S),d.y=e*Math.sin(S),m.subVectors(f,d).normalize(),h.push(m.x,m.y,m.z),u.push(p/s),u.push(v/n)}}for(let v=1;v<=n;v++)for(let g=1;g<=s;g++){const p=(s+1)*v+g-1,S=(s+1)*(v-1)+g-1,E=(s+1)*(v-1)+g,x=(s+1)*v+g;l.push(p,S,x),l.push(S,E,x)}this.setIndex(l),this.setAttribute("position",new tt(c,3)),this.setAttribute("normal",new tt(h,3)),this.setAttribute("uv",new tt(u,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new jn(e.radius,e.tube,e.radialSegments,e.tubularSegments,e.arc,e.thetaStart,e.thetaLength)}}class ac extends mt{constructor(e=null){if(super(),this.type="WireframeGeometry",this.parameters={geometry:e},e!==null){const t=[],n=new Set,s=new L,r=new L;if(e.index!==null){const a=e.attributes.position,o=e.index;let l=e.groups;l.length===0&&(l=[{start:0,count:o.count,materialIndex:0}]);for(let c=0,h=l.length;c<h;++c){const u=l[c],d=u.start,f=u.count;for(let m=d,v=d+f;m<v;m+=3)for(let g=0;g<3;g++){const p=o.getX(m+g),S=o.getX(m+(g+1)%3);s.fromBufferAttribute(a,p),r.fromBufferAttribute(a,S),Ua(s,r,n)===!0&&(t.push(s.x,s.y,s.z),t.push(r.x,r.y,r.z))}}}else{const a=e.attributes.position;for(let o=0,l=a.count/3;o<l;o++)for(let c=0;c<3;c++){const h=3*o+c,u=3*o+(c+1)%3;s.fromBufferAttribute(a,h),r.fromBufferAttribute(a,u),Ua(s,r,n)===!0&&(t.push(s.x,s.y,s.z),t.push(r.x,r.y,r.z))}}this.setAttribute("position",new tt(t,3))}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}}function Ua(i,e,t){const n=`${i.x},${i.y},${i.z}-${e.x},${e.y},${e.z}`,s=`${e.x},${e.y},${e.z}-${i.x},${i.y},${i.z}`;return t.has(n)===!0||t.has(s)===!0?!1:(t.add(n),t.add(s),!0)}function _i(i){const e={};for(const t in i){e[t]={};for(const n in i[t]){const s=i[t][n];if(Oa(s))s.isRenderTargetTexture?(Pe("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),e[t][n]=null):e[t][n]=s.clone();else if(Array.isArray(s))if(Oa(s[0])){const r=[];for(let a=0,o=s.length;a<o;a++)r[a]=s[a].clone();e[t][n]=r}else e[t][n]=s.slice();else e[t][n]=s}}return e}function kt(i){const e={};for(let t=0;t<i.length;t++){const n=_i(i[t]);for(const s in n)e[s]=n[s]}return e}function Oa(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function oc(i){const e=[];for(let t=0;t<i.length;t++)e.push(i[t].clone());return e}function $o(i){const e=i.getRenderTarget();return e===null?i.outputColorSpace:e.isXRRenderTarget===!0?e.texture.colorSpace:We.workingColorSpace}const lc={clone:_i,merge:kt};var cc=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,hc=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`;class Tn extends Si{constructor(e){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=cc,this.fragmentShader=hc,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=_i(e.uniforms),this.uniformsGroups=oc(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}toJSON(e){const t=super.toJSON(e);t.glslVersion=this.glslVersion,t.uniforms={};for(const s in this.uniforms){const a=this.uniforms[s].value;a&&a.isTexture?t.uniforms[s]={type:"t",value:a.toJSON(e).uuid}:a&&a.isColor?t.uniforms[s]={type:"c",value:a.getHex()}:a&&a.isVector2?t.uniforms[s]={type:"v2",value:a.toArray()}:a&&a.isVector3?t.uniforms[s]={type:"v3",value:a.toArray()}:a&&a.isVector4?t.uniforms[s]={type:"v4",value:a.toArray()}:a&&a.isMatrix3?t.uniforms[s]={type:"m3",value:a.toArray()}:a&&a.isMatrix4?t.uniforms[s]={type:"m4",value:a.toArray()}:t.uniforms[s]={value:a}}Object.keys(this.defines).length>0&&(t.defines=this.defines),t.vertexShader=this.vertexShader,t.fragmentShader=this.fragmentShader,t.lights=this.lights,t.clipping=this.clipping;const n={};for(const s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(t.extensions=n),t}fromJSON(e,t){if(super.fromJSON(e,t),e.uniforms!==void 0)for(const n in e.uniforms){const s=e.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=t[s.value]||null;break;case"c":this.uniforms[n].value=new Ie().setHex(s.value);break;case"v2":this.uniforms[n].value=new qe().fromArray(s.value);break;case"v3":this.uniforms[n].value=new L().fromArray(s.value);break;case"v4":this.uniforms[n].value=new pt().fromArray(s.value);break;case"m3":this.uniforms[n].value=new Ue().fromArray(s.value);break;case"m4":this.uniforms[n].value=new Ze().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(e.defines!==void 0&&(this.defines=e.defines),e.vertexShader!==void 0&&(this.vertexShader=e.vertexShader),e.fragmentShader!==void 0&&(this.fragmentShader=e.fragmentShader),e.glslVersion!==void 0&&(this.glslVersion=e.glslVersion),e.extensions!==void 0)for(const n in e.extensions)this.extensions[n]=e.extensions[n];return e.lights!==void 0&&(this.lights=e.lights),e.clipping!==void 0&&(this.clipping=e.clipping),this}}class Or extends Tn{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}}class uc extends Si{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=3200,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}}class dc extends Si{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}}const vs=new L,xs=new Mt,cn=new L;class Yo extends yt{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Ze,this.projectionMatrix=new Ze,this.projectionMatrixInverse=new Ze,this.coordinateSystem=2e3,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(vs,xs,cn),cn.x===1&&cn.y===1&&cn.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(vs,xs,cn.set(1,1,1)).invert()}updateWorldMatrix(e,t,n=!1){super.updateWorldMatrix(e,t,n),this.matrixWorld.decompose(vs,xs,cn),cn.x===1&&cn.y===1&&cn.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(vs,xs,cn.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}}const In=new L,Ba=new qe,ka=new qe;class an extends Yo{constructor(e=50,t=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=e,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){const t=.5*this.getFilmHeight()/e;this.fov=Nr*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){const e=Math.tan(Us*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return Nr*2*Math.atan(Math.tan(Us*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,n){In.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(In.x,In.y).multiplyScalar(-e/In.z),In.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(In.x,In.y).multiplyScalar(-e/In.z)}getViewSize(e,t){return this.getViewBounds(e,Ba,ka),t.subVectors(ka,Ba)}setViewOffset(e,t,n,s,r,a){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){const e=this.near;let t=e*Math.tan(Us*.5*this.fov)/this.zoom,n=2*t,s=this.aspect*n,r=-.5*s;const a=this.view;if(this.view!==null&&this.view.enabled){const l=a.fullWidth,c=a.fullHeight;r+=a.offsetX*s/l,t-=a.offsetY*n/c,s*=a.width/l,n*=a.height/c}const o=this.filmOffset;o!==0&&(r+=e*o/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,t,t-n,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){const t=super.toJSON(e);return t.object.fov=this.fov,t.object.zoom=this.zoom,t.object.near=this.near,t.object.far=this.far,t.object.focus=this.focus,t.object.aspect=this.aspect,this.view!==null&&(t.object.view=Object.assign({},this.view)),t.object.filmGauge=this.filmGauge,t.object.filmOffset=this.filmOffset,t}}class fc extends Yo{constructor(e=-1,t=1,n=1,s=-1,r=.1,a=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=n,this.bottom=s,this.near=r,this.far=a,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,n,s,r,a){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){const e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2;let r=n-e,a=n+e,o=s+t,l=s-t;if(this.view!==null&&this.view.enabled){const c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,a=r+c*this.view.width,o-=h*this.view.offsetY,l=o-h*this.view.height}this.projectionMatrix.makeOrthographic(r,a,o,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){const t=super.toJSON(e);return t.object.zoom=this.zoom,t.object.left=this.left,t.object.right=this.right,t.object.top=this.top,t.object.bottom=this.bottom,t.object.near=this.near,t.object.far=this.far,this.view!==null&&(t.object.view=Object.assign({},this.view)),t}}const ui=-90,di=1;class Br extends yt{constructor(e,t,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;const s=new an(ui,di,e,t);s.layers=this.layers,this.add(s);const r=new an(ui,di,e,t);r.layers=this.layers,this.add(r);const a=new an(ui,di,e,t);a.layers=this.layers,this.add(a);const o=new an(ui,di,e,t);o.layers=this.layers,this.add(o);const l=new an(ui,di,e,t);l.layers=this.layers,this.add(l);const c=new an(ui,di,e,t);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){const e=this.coordinateSystem,t=this.children.concat(),[n,s,r,a,o,l]=t;for(const c of t)this.remove(c);if(e===2e3)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),a.up.set(0,0,1),a.lookAt(0,-1,0),o.up.set(0,1,0),o.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(e===2001)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),a.up.set(0,0,-1),a.lookAt(0,-1,0),o.up.set(0,-1,0),o.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+e);for(const c of t)this.add(c),c.updateMatrixWorld()}update(e,t){this.parent===null&&this.updateMatrixWorld();const{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==e.coordinateSystem&&(this.coordinateSystem=e.coordinateSystem,this.updateCoordinateSystem());const[r,a,o,l,c,h]=this.children,u=e.getRenderTarget(),d=e.getActiveCubeFace(),f=e.getActiveMipmapLevel(),m=e.xr.enabled;e.xr.enabled=!1;const v=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let g=!1;e.isWebGLRenderer===!0?g=e.state.buffers.depth.getReversed():g=e.reversedDepthBuffer,e.setRenderTarget(n,0,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,r),e.setRenderTarget(n,1,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,a),e.setRenderTarget(n,2,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,o),e.setRenderTarget(n,3,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,l),e.setRenderTarget(n,4,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,c),n.texture.mipmapsAutoUpdate=v,e.setRenderTarget(n,5,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,h),e.setRenderTarget(u,d,f),e.xr.enabled=m,n.texture.needsPMREMUpdate=!0}}class pc extends an{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}}const za=new Ze;class mc{constructor(e,t,n=0,s=1/0){this.ray=new js(e,t),this.near=n,this.far=s,this.camera=null,this.layers=new Zr,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(e,t){this.ray.set(e,t)}setFromCamera(e,t){t.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(e.x,e.y,.5).unproject(t).sub(this.ray.origin).normalize(),this.camera=t):t.isOrthographicCamera?(this.ray.origin.set(e.x,e.y,t.projectionMatrix.elements[14]).unproject(t),this.ray.direction.set(0,0,-1).transformDirection(t.matrixWorld),this.camera=t):je("Raycaster: Unsupported camera type: "+t.type)}setFromXRController(e){return za.identity().extractRotation(e.matrixWorld),this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(za),this}intersectObject(e,t=!0,n=[]){return kr(e,this,n,t),n.sort(Ga),n}intersectObjects(e,t=!0,n=[]){for(let s=0,r=e.length;s<r;s++)kr(e[s],this,n,t);return n.sort(Ga),n}}function Ga(i,e){return i.distance-e.distance}function kr(i,e,t,n){let s=!0;if(i.layers.test(e.layers)&&i.raycast(e,t)===!1&&(s=!1),s===!0&&n===!0){const r=i.children;for(let a=0,o=r.length;a<o;a++)kr(r[a],e,t,!0)}}class gc extends Bn{constructor(e,t=null){super(),this.object=e,this.domElement=t,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(e){this.domElement!==null&&this.disconnect(),this.domElement=e}disconnect(){}dispose(){}update(){}}function Ha(i,e,t,n){const s=_c(n);switch(t){case 1021:return i*e;case 1028:return i*e/s.components*s.byteLength;case 1029:return i*e/s.components*s.byteLength;case 1030:return i*e*2/s.components*s.byteLength;case 1031:return i*e*2/s.components*s.byteLength;case 1022:return i*e*3/s.components*s.byteLength;case 1023:return i*e*4/s.components*s.byteLength;case 1033:return i*e*4/s.components*s.byteLength;case 33776:case 33777:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*8;case 33778:case 33779:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case 35841:case 35843:return Math.max(i,16)*Math.max(e,8)/4;case 35840:case 35842:return Math.max(i,8)*Math.max(e,8)/2;case 36196:case 37492:case 37488:case 37489:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*8;case 37496:case 37490:case 37491:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case 37808:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case 37809:return Math.floor((i+4)/5)*Math.floor((e+3)/4)*16;case 37810:return Math.floor((i+4)/5)*Math.floor((e+4)/5)*16;case 37811:return Math.floor((i+5)/6)*Math.floor((e+4)/5)*16;case 37812:return Math.floor((i+5)/6)*Math.floor((e+5)/6)*16;case 37813:return Math.floor((i+7)/8)*Math.floor((e+4)/5)*16;case 37814:return Math.floor((i+7)/8)*Math.floor((e+5)/6)*16;case 37815:return Math.floor((i+7)/8)*Math.floor((e+7)/8)*16;case 37816:return Math.floor((i+9)/10)*Math.floor((e+4)/5)*16;case 37817:return Math.floor((i+9)/10)*Math.floor((e+5)/6)*16;case 37818:return Math.floor((i+9)/10)*Math.floor((e+7)/8)*16;case 37819:return Math.floor((i+9)/10)*Math.floor((e+9)/10)*16;case 37820:return Math.floor((i+11)/12)*Math.floor((e+9)/10)*16;case 37821:return Math.floor((i+11)/12)*Math.floor((e+11)/12)*16;case 36492:case 36494:case 36495:return Math.ceil(i/4)*Math.ceil(e/4)*16;case 36283:case 36284:return Math.ceil(i/4)*Math.ceil(e/4)*8;case 36285:case 36286:return Math.ceil(i/4)*Math.ceil(e/4)*16}throw new Error(`Unable to determine texture byte length for ${t} format.`)}function _c(i){switch(i){case 1009:case 1010:return{byteLength:1,components:1};case 1012:case 1011:case 1016:return{byteLength:2,components:1};case 1017:case 1018:return{byteLength:2,components:4};case 1014:case 1013:case 1015:return{byteLength:4,components:1};case 35902:case 35899:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?Pe("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function Zo(){let i=null,e=!1,t=null,n=null;function s(r,a){n=i.requestAnimationFrame(s),t(r,a)}return{start:function(){e!==!0&&t!==null&&i!==null&&(n=i.requestAnimationFrame(s),e=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),e=!1},setAnimationLoop:function(r){t=r},setContext:function(r){i=r}}}function vc(i){const e=new WeakMap;function t(o,l){const c=o.array,h=o.usage,u=c.byteLength,d=i.createBuffer();i.bindBuffer(l,d),i.bufferData(l,c,h),o.onUploadCallback();let f;if(c instanceof Float32Array)f=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)f=i.HALF_FLOAT;else if(c instanceof Uint16Array)o.isFloat16BufferAttribute?f=i.HALF_FLOAT:f=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)f=i.SHORT;else if(c instanceof Uint32Array)f=i.UNSIGNED_INT;else if(c instanceof Int32Array)f=i.INT;else if(c instanceof Int8Array)f=i.BYTE;else if(c instanceof Uint8Array)f=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)f=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:d,type:f,bytesPerElement:c.BYTES_PER_ELEMENT,version:o.version,size:u}}function n(o,l,c){const h=l.array,u=l.updateRanges;if(i.bindBuffer(c,o),u.length===0)i.bufferSubData(c,0,h);else{u.sort((f,m)=>f.start-m.start);let d=0;for(let f=1;f<u.length;f++){const m=u[d],v=u[f];v.start<=m.start+m.count+1?m.count=Math.max(m.count,v.start+v.count-m.start):(++d,u[d]=v)}u.length=d+1;for(let f=0,m=u.length;f<m;f++){const v=u[f];i.bufferSubData(c,v.start*h.BYTES_PER_ELEMENT,h,v.start,v.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(o){return o.isInterleavedBufferAttribute&&(o=o.data),e.get(o)}function r(o){o.isInterleavedBufferAttribute&&(o=o.data);const l=e.get(o);l&&(i.deleteBuffer(l.buffer),e.delete(o))}function a(o,l){if(o.isInterleavedBufferAttribute&&(o=o.data),o.isGLBufferAttribute){const h=e.get(o);(!h||h.version<o.version)&&e.set(o,{buffer:o.buffer,type:o.type,bytesPerElement:o.elementSize,version:o.version});return}const c=e.get(o);if(c===void 0)e.set(o,t(o,l));else if(c.version<o.version){if(c.size!==o.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,o,l),c.version=o.version}}return{get:s,remove:r,update:a}}var xc=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,Sc=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,Mc=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,yc=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,bc=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,wc=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,Ec=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,Tc=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,Ac=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,Rc=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,Cc=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,Pc=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,Lc=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,Dc=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,Ic=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,Nc=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,Fc=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,Uc=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,Oc=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,Bc=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,kc=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,zc=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,Gc=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,Hc=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,Vc=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,Wc=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,Xc=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,qc=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,$c=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,Yc="gl_FragColor = linearToOutputTexel( gl_FragColor );",Zc=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,jc=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,Kc=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,Jc=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,Qc=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,eh=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,th=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,nh=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,ih=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,sh=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,rh=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,ah=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,oh=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,lh=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,ch=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,hh=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,uh=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,dh=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,fh=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,ph=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,mh=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,gh=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,_h=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,vh=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,xh=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,Sh=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,Mh=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,yh=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,bh=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,wh=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,Eh=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,Th=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,Ah=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,Rh=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Ch=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,Ph=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,Lh=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,Dh=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,Ih=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Nh=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,Fh=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Uh=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,Oh=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,Bh=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,kh=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,zh=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,Gh=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,Hh=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,Vh=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,Wh=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,Xh=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,qh=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,$h=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,Yh=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,Zh=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,jh=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,Kh=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,Jh=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,Qh=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,eu=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,tu=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,nu=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,iu=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,su=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,ru=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,au=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,ou=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,lu=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,cu=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,hu=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,uu=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,du=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,fu=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,pu=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,mu=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,gu=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,_u=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`;const vu=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,xu=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Su=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Mu=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,yu=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,bu=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,wu=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,Eu=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,Tu=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,Au=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,Ru=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,Cu=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Pu=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Lu=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Du=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,Iu=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Nu=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Fu=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Uu=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,Ou=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Bu=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,ku=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,zu=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Gu=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Hu=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,Vu=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Wu=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Xu=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,qu=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,$u=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Yu=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Zu=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,ju=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Ku=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,ze={alphahash_fragment:xc,alphahash_pars_fragment:Sc,alphamap_fragment:Mc,alphamap_pars_fragment:yc,alphatest_fragment:bc,alphatest_pars_fragment:wc,aomap_fragment:Ec,aomap_pars_fragment:Tc,batching_pars_vertex:Ac,batching_vertex:Rc,begin_vertex:Cc,beginnormal_vertex:Pc,bsdfs:Lc,iridescence_fragment:Dc,bumpmap_pars_fragment:Ic,clipping_planes_fragment:Nc,clipping_planes_pars_fragment:Fc,clipping_planes_pars_vertex:Uc,clipping_planes_vertex:Oc,color_fragment:Bc,color_pars_fragment:kc,color_pars_vertex:zc,color_vertex:Gc,common:Hc,defaultnormal_vertex:Vc,displacementmap_pars_vertex:Wc,displacementmap_vertex:Xc,emissivemap_fragment:qc,emissivemap_pars_fragment:$c,colorspace_fragment:Yc,colorspace_pars_fragment:Zc,envmap_fragment:jc,envmap_common_pars_fragment:Kc,envmap_pars_fragment:Jc,envmap_pars_vertex:Qc,envmap_physical_pars_fragment:hh,envmap_vertex:eh,fog_vertex:th,fog_pars_vertex:nh,fog_fragment:ih,fog_pars_fragment:sh,gradientmap_pars_fragment:rh,lightmap_pars_fragment:ah,lights_lambert_fragment:oh,lights_lambert_pars_fragment:lh,lights_pars_begin:ch,lights_toon_fragment:uh,lights_toon_pars_fragment:dh,lights_phong_fragment:fh,lights_phong_pars_fragment:ph,lights_physical_fragment:mh,lights_physical_pars_fragment:gh,lights_fragment_begin:_h,lights_fragment_maps:vh,lights_fragment_end:xh,lightprobes_pars_fragment:Sh,logdepthbuf_fragment:Mh,logdepthbuf_pars_fragment:yh,logdepthbuf_pars_vertex:bh,logdepthbuf_vertex:wh,map_fragment:Eh,map_pars_fragment:Th,map_particle_fragment:Ah,map_particle_pars_fragment:Rh,metalnessmap_fragment:Ch,metalnessmap_pars_fragment:Ph,morphinstance_vertex:Lh,morphcolor_vertex:Dh,morphnormal_vertex:Ih,morphtarget_pars_vertex:Nh,morphtarget_vertex:Fh,normal_fragment_begin:Uh,normal_fragment_maps:Oh,normal_pars_fragment:Bh,normal_pars_vertex:kh,normal_vertex:zh,normalmap_pars_fragment:Gh,clearcoat_normal_fragment_begin:Hh,clearcoat_normal_fragment_maps:Vh,clearcoat_pars_fragment:Wh,iridescence_pars_fragment:Xh,opaque_fragment:qh,packing:$h,premultiplied_alpha_fragment:Yh,project_vertex:Zh,dithering_fragment:jh,dithering_pars_fragment:Kh,roughnessmap_fragment:Jh,roughnessmap_pars_fragment:Qh,shadowmap_pars_fragment:eu,shadowmap_pars_vertex:tu,shadowmap_vertex:nu,shadowmask_pars_fragment:iu,skinbase_vertex:su,skinning_pars_vertex:ru,skinning_vertex:au,skinnormal_vertex:ou,specularmap_fragment:lu,specularmap_pars_fragment:cu,tonemapping_fragment:hu,tonemapping_pars_fragment:uu,transmission_fragment:du,transmission_pars_fragment:fu,uv_pars_fragment:pu,uv_pars_vertex:mu,uv_vertex:gu,worldpos_vertex:_u,background_vert:vu,background_frag:xu,backgroundCube_vert:Su,backgroundCube_frag:Mu,cube_vert:yu,cube_frag:bu,depth_vert:wu,depth_frag:Eu,distance_vert:Tu,distance_frag:Au,equirect_vert:Ru,equirect_frag:Cu,linedashed_vert:Pu,linedashed_frag:Lu,meshbasic_vert:Du,meshbasic_frag:Iu,meshlambert_vert:Nu,meshlambert_frag:Fu,meshmatcap_vert:Uu,meshmatcap_frag:Ou,meshnormal_vert:Bu,meshnormal_frag:ku,meshphong_vert:zu,meshphong_frag:Gu,meshphysical_vert:Hu,meshphysical_frag:Vu,meshtoon_vert:Wu,meshtoon_frag:Xu,points_vert:qu,points_frag:$u,shadow_vert:Yu,shadow_frag:Zu,sprite_vert:ju,sprite_frag:Ku},pe={common:{diffuse:{value:new Ie(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new Ue},alphaMap:{value:null},alphaMapTransform:{value:new Ue},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new Ue}},envmap:{envMap:{value:null},envMapRotation:{value:new Ue},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new Ue}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new Ue}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new Ue},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new Ue},normalScale:{value:new qe(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new Ue},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new Ue}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new Ue}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new Ue}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Ie(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Ie(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new Ue},alphaTest:{value:0},uvTransform:{value:new Ue}},sprite:{diffuse:{value:new Ie(16777215)},opacity:{value:1},center:{value:new qe(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new Ue},alphaMap:{value:null},alphaMapTransform:{value:new Ue},alphaTest:{value:0}}},fn={basic:{uniforms:kt([pe.common,pe.specularmap,pe.envmap,pe.aomap,pe.lightmap,pe.fog]),vertexShader:ze.meshbasic_vert,fragmentShader:ze.meshbasic_frag},lambert:{uniforms:kt([pe.common,pe.specularmap,pe.envmap,pe.aomap,pe.lightmap,pe.emissivemap,pe.bumpmap,pe.normalmap,pe.displacementmap,pe.fog,pe.lights,{emissive:{value:new Ie(0)},envMapIntensity:{value:1}}]),vertexShader:ze.meshlambert_vert,fragmentShader:ze.meshlambert_frag},phong:{uniforms:kt([pe.common,pe.specularmap,pe.envmap,pe.aomap,pe.lightmap,pe.emissivemap,pe.bumpmap,pe.normalmap,pe.displacementmap,pe.fog,pe.lights,{emissive:{value:new Ie(0)},specular:{value:new Ie(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:ze.meshphong_vert,fragmentShader:ze.meshphong_frag},standard:{uniforms:kt([pe.common,pe.envmap,pe.aomap,pe.lightmap,pe.emissivemap,pe.bumpmap,pe.normalmap,pe.displacementmap,pe.roughnessmap,pe.metalnessmap,pe.fog,pe.lights,{emissive:{value:new Ie(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:ze.meshphysical_vert,fragmentShader:ze.meshphysical_frag},toon:{uniforms:kt([pe.common,pe.aomap,pe.lightmap,pe.emissivemap,pe.bumpmap,pe.normalmap,pe.displacementmap,pe.gradientmap,pe.fog,pe.lights,{emissive:{value:new Ie(0)}}]),vertexShader:ze.meshtoon_vert,fragmentShader:ze.meshtoon_frag},matcap:{uniforms:kt([pe.common,pe.bumpmap,pe.normalmap,pe.displacementmap,pe.fog,{matcap:{value:null}}]),vertexShader:ze.meshmatcap_vert,fragmentShader:ze.meshmatcap_frag},points:{uniforms:kt([pe.points,pe.fog]),vertexShader:ze.points_vert,fragmentShader:ze.points_frag},dashed:{uniforms:kt([pe.common,pe.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:ze.linedashed_vert,fragmentShader:ze.linedashed_frag},depth:{uniforms:kt([pe.common,pe.displacementmap]),vertexShader:ze.depth_vert,fragmentShader:ze.depth_frag},normal:{uniforms:kt([pe.common,pe.bumpmap,pe.normalmap,pe.displacementmap,{opacity:{value:1}}]),vertexShader:ze.meshnormal_vert,fragmentShader:ze.meshnormal_frag},sprite:{uniforms:kt([pe.sprite,pe.fog]),vertexShader:ze.sprite_vert,fragmentShader:ze.sprite_frag},background:{uniforms:{uvTransform:{value:new Ue},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:ze.background_vert,fragmentShader:ze.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new Ue}},vertexShader:ze.backgroundCube_vert,fragmentShader:ze.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:ze.cube_vert,fragmentShader:ze.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:ze.equirect_vert,fragmentShader:ze.equirect_frag},distance:{uniforms:kt([pe.common,pe.displacementmap,{referencePosition:{value:new L},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:ze.distance_vert,fragmentShader:ze.distance_frag},shadow:{uniforms:kt([pe.lights,pe.fog,{color:{value:new Ie(0)},opacity:{value:1}}]),vertexShader:ze.shadow_vert,fragmentShader:ze.shadow_frag}};fn.physical={uniforms:kt([fn.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new Ue},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new Ue},clearcoatNormalScale:{value:new qe(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new Ue},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new Ue},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new Ue},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new Ue},sheen:{value:0},sheenColor:{value:new Ie(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new Ue},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new Ue},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new Ue},transmissionSamplerSize:{value:new qe},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new Ue},attenuationDistance:{value:0},attenuationColor:{value:new Ie(0)},specularColor:{value:new Ie(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new Ue},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new Ue},anisotropyVector:{value:new qe},anisotropyMap:{value:null},anisotropyMapTransform:{value:new Ue}}]),vertexShader:ze.meshphysical_vert,fragmentShader:ze.meshphysical_frag};const Ss={r:0,b:0,g:0},Ju=new Ze,jo=new Ue;jo.set(-1,0,0,0,1,0,0,0,1);function Qu(i,e,t,n,s,r){const a=new Ie(0);let o=s===!0?0:1,l,c,h=null,u=0,d=null;function f(S){let E=S.isScene===!0?S.background:null;if(E&&E.isTexture){const x=S.backgroundBlurriness>0;E=e.get(E,x)}return E}function m(S){let E=!1;const x=f(S);x===null?g(a,o):x&&x.isColor&&(g(x,1),E=!0);const T=i.xr.getEnvironmentBlendMode();T==="additive"?t.buffers.color.setClear(0,0,0,1,r):T==="alpha-blend"&&t.buffers.color.setClear(0,0,0,0,r),(i.autoClear||E)&&(t.buffers.depth.setTest(!0),t.buffers.depth.setMask(!0),t.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function v(S,E){const x=f(E);x&&x.isCubeTexture?(c===void 0&&(c=new ve(new ft(1,1,1),new Tn({name:"BackgroundCubeMaterial",uniforms:_i(fn.backgroundCube.uniforms),vertexShader:fn.backgroundCube.vertexShader,fragmentShader:fn.backgroundCube.fragmentShader,side:1,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(T,A,_){this.matrixWorld.copyPosition(_.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(c)),c.material.uniforms.envMap.value=x,c.material.uniforms.backgroundBlurriness.value=E.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=E.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(Ju.makeRotationFromEuler(E.backgroundRotation)).transpose(),x.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply(jo),c.material.toneMapped=We.getTransfer(x.colorSpace)!==et,(h!==x||u!==x.version||d!==i.toneMapping)&&(c.material.needsUpdate=!0,h=x,u=x.version,d=i.toneMapping),c.layers.enableAll(),S.unshift(c,c.geometry,c.material,0,0,null)):x&&x.isTexture&&(l===void 0&&(l=new ve(new Jn(2,2),new Tn({name:"BackgroundMaterial",uniforms:_i(fn.background.uniforms),vertexShader:fn.background.vertexShader,fragmentShader:fn.background.fragmentShader,side:0,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(l)),l.material.uniforms.t2D.value=x,l.material.uniforms.backgroundIntensity.value=E.backgroundIntensity,l.material.toneMapped=We.getTransfer(x.colorSpace)!==et,x.matrixAutoUpdate===!0&&x.updateMatrix(),l.material.uniforms.uvTransform.value.copy(x.matrix),(h!==x||u!==x.version||d!==i.toneMapping)&&(l.material.needsUpdate=!0,h=x,u=x.version,d=i.toneMapping),l.layers.enableAll(),S.unshift(l,l.geometry,l.material,0,0,null))}function g(S,E){S.getRGB(Ss,$o(i)),t.buffers.color.setClear(Ss.r,Ss.g,Ss.b,E,r)}function p(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return a},setClearColor:function(S,E=1){a.set(S),o=E,g(a,o)},getClearAlpha:function(){return o},setClearAlpha:function(S){o=S,g(a,o)},render:m,addToRenderList:v,dispose:p}}function ed(i,e){const t=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=d(null);let r=s,a=!1;function o(F,O,X,I,z){let Y=!1;const B=u(F,I,X,O);r!==B&&(r=B,c(r.object)),Y=f(F,I,X,z),Y&&m(F,I,X,z),z!==null&&e.update(z,i.ELEMENT_ARRAY_BUFFER),(Y||a)&&(a=!1,x(F,O,X,I),z!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,e.get(z).buffer))}function l(){return i.createVertexArray()}function c(F){return i.bindVertexArray(F)}function h(F){return i.deleteVertexArray(F)}function u(F,O,X,I){const z=I.wireframe===!0;let Y=n[O.id];Y===void 0&&(Y={},n[O.id]=Y);const B=F.isInstancedMesh===!0?F.id:0;let te=Y[B];te===void 0&&(te={},Y[B]=te);let V=te[X.id];V===void 0&&(V={},te[X.id]=V);let Q=V[z];return Q===void 0&&(Q=d(l()),V[z]=Q),Q}function d(F){const O=[],X=[],I=[];for(let z=0;z<t;z++)O[z]=0,X[z]=0,I[z]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:O,enabledAttributes:X,attributeDivisors:I,object:F,attributes:{},index:null}}function f(F,O,X,I){const z=r.attributes,Y=O.attributes;let B=0;const te=X.getAttributes();for(const V in te)if(te[V].location>=0){const ee=z[V];let xe=Y[V];if(xe===void 0&&(V==="instanceMatrix"&&F.instanceMatrix&&(xe=F.instanceMatrix),V==="instanceColor"&&F.instanceColor&&(xe=F.instanceColor)),ee===void 0||ee.attribute!==xe||xe&&ee.data!==xe.data)return!0;B++}return r.attributesNum!==B||r.index!==I}function m(F,O,X,I){const z={},Y=O.attributes;let B=0;const te=X.getAttributes();for(const V in te)if(te[V].location>=0){let ee=Y[V];ee===void 0&&(V==="instanceMatrix"&&F.instanceMatrix&&(ee=F.instanceMatrix),V==="instanceColor"&&F.instanceColor&&(ee=F.instanceColor));const xe={};xe.attribute=ee,ee&&ee.data&&(xe.data=ee.data),z[V]=xe,B++}r.attributes=z,r.attributesNum=B,r.index=I}function v(){const F=r.newAttributes;for(let O=0,X=F.length;O<X;O++)F[O]=0}function g(F){p(F,0)}function p(F,O){const X=r.newAttributes,I=r.enabledAttributes,z=r.attributeDivisors;X[F]=1,I[F]===0&&(i.enableVertexAttribArray(F),I[F]=1),z[F]!==O&&(i.vertexAttribDivisor(F,O),z[F]=O)}function S(){const F=r.newAttributes,O=r.enabledAttributes;for(let X=0,I=O.length;X<I;X++)O[X]!==F[X]&&(i.disableVertexAttribArray(X),O[X]=0)}function E(F,O,X,I,z,Y,B){B===!0?i.vertexAttribIPointer(F,O,X,z,Y):i.vertexAttribPointer(F,O,X,I,z,Y)}function x(F,O,X,I){v();const z=I.attributes,Y=X.getAttributes(),B=O.defaultAttributeValues;for(const te in Y){const V=Y[te];if(V.location>=0){let Q=z[te];if(Q===void 0&&(te==="instanceMatrix"&&F.instanceMatrix&&(Q=F.instanceMatrix),te==="instanceColor"&&F.instanceColor&&(Q=F.instanceColor)),Q!==void 0){const ee=Q.normalized,xe=Q.itemSize,Le=e.get(Q);if(Le===void 0)continue;const Z=Le.buffer,me=Le.type,Me=Le.bytesPerElement,Ae=me===i.INT||me===i.UNSIGNED_INT||Q.gpuType===1013;if(Q.isInterleavedBufferAttribute){const ge=Q.data,Fe=ge.isInterleavedBuffer===!0?ge.stride:ge.itemSize,gt=Q.offset;if(ge.isInstancedInterleavedBuffer||ge.isInstancedBufferAttribute){for(let Ce=0;Ce<V.locationSize;Ce++)p(V.location+Ce,ge.meshPerAttribute);F.isInstancedMesh!==!0&&I._maxInstanceCount===void 0&&(I._maxInstanceCount=ge.meshPerAttribute*ge.count)}else for(let Ce=0;Ce<V.locationSize;Ce++)g(V.location+Ce);i.bindBuffer(i.ARRAY_BUFFER,Z);for(let Ce=0;Ce<V.locationSize;Ce++)E(V.location+Ce,xe/V.locationSize,me,ee,Fe*Me,(gt+xe/V.locationSize*Ce)*Me,Ae)}else{if(Q.isInstancedBufferAttribute){for(let ge=0;ge<V.locationSize;ge++)p(V.location+ge,Q.meshPerAttribute);F.isInstancedMesh!==!0&&I._maxInstanceCount===void 0&&(I._maxInstanceCount=Q.meshPerAttribute*Q.count)}else for(let ge=0;ge<V.locationSize;ge++)g(V.location+ge);i.bindBuffer(i.ARRAY_BUFFER,Z);for(let ge=0;ge<V.locationSize;ge++)E(V.location+ge,xe/V.locationSize,me,ee,xe*Me,xe/V.locationSize*ge*Me,Ae)}}else if(B!==void 0){const ee=B[te];if(ee!==void 0)switch(ee.length){case 2:i.vertexAttrib2fv(V.location,ee);break;case 3:i.vertexAttrib3fv(V.location,ee);break;case 4:i.vertexAttrib4fv(V.location,ee);break;default:i.vertexAttrib1fv(V.location,ee)}}}}S()}function T(){P();for(const F in n){const O=n[F];for(const X in O){const I=O[X];for(const z in I){const Y=I[z];for(const B in Y)h(Y[B].object),delete Y[B];delete I[z]}}delete n[F]}}function A(F){if(n[F.id]===void 0)return;const O=n[F.id];for(const X in O){const I=O[X];for(const z in I){const Y=I[z];for(const B in Y)h(Y[B].object),delete Y[B];delete I[z]}}delete n[F.id]}function _(F){for(const O in n){const X=n[O];for(const I in X){const z=X[I];if(z[F.id]===void 0)continue;const Y=z[F.id];for(const B in Y)h(Y[B].object),delete Y[B];delete z[F.id]}}}function y(F){for(const O in n){const X=n[O],I=F.isInstancedMesh===!0?F.id:0,z=X[I];if(z!==void 0){for(const Y in z){const B=z[Y];for(const te in B)h(B[te].object),delete B[te];delete z[Y]}delete X[I],Object.keys(X).length===0&&delete n[O]}}}function P(){C(),a=!0,r!==s&&(r=s,c(r.object))}function C(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:o,reset:P,resetDefaultState:C,dispose:T,releaseStatesOfGeometry:A,releaseStatesOfObject:y,releaseStatesOfProgram:_,initAttributes:v,enableAttribute:g,disableUnusedAttributes:S}}function td(i,e,t){let n;function s(l){n=l}function r(l,c){i.drawArrays(n,l,c),t.update(c,n,1)}function a(l,c,h){h!==0&&(i.drawArraysInstanced(n,l,c,h),t.update(c,n,h))}function o(l,c,h){if(h===0)return;e.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,l,0,c,0,h);let d=0;for(let f=0;f<h;f++)d+=c[f];t.update(d,n,1)}this.setMode=s,this.render=r,this.renderInstances=a,this.renderMultiDraw=o}function nd(i,e,t,n){let s;function r(){if(s!==void 0)return s;if(e.has("EXT_texture_filter_anisotropic")===!0){const _=e.get("EXT_texture_filter_anisotropic");s=i.getParameter(_.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function a(_){return!(_!==1023&&n.convert(_)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function o(_){const y=_===1016&&(e.has("EXT_color_buffer_half_float")||e.has("EXT_color_buffer_float"));return!(_!==1009&&_!==1015&&!y&&n.convert(_)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function l(_){if(_==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";_="mediump"}return _==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=t.precision!==void 0?t.precision:"highp";const h=l(c);h!==c&&(Pe("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);const u=t.reversedDepthBuffer===!0&&e.has("EXT_clip_control"),d=t.logarithmicDepthBuffer===!0&&u===!1;t.reversedDepthBuffer===!0&&u===!1&&Pe("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),t.logarithmicDepthBuffer===!0&&u===!0&&Pe("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");const f=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),m=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),v=i.getParameter(i.MAX_TEXTURE_SIZE),g=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),p=i.getParameter(i.MAX_VERTEX_ATTRIBS),S=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),E=i.getParameter(i.MAX_VARYING_VECTORS),x=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),T=i.getParameter(i.MAX_SAMPLES),A=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:a,textureTypeReadable:o,precision:c,logarithmicDepthBuffer:d,reversedDepthBuffer:u,maxTextures:f,maxVertexTextures:m,maxTextureSize:v,maxCubemapSize:g,maxAttributes:p,maxVertexUniforms:S,maxVaryings:E,maxFragmentUniforms:x,maxSamples:T,samples:A}}function id(i){const e=this;let t=null,n=0,s=!1,r=!1;const a=new Fn,o=new Ue,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(u,d){const f=u.length!==0||d||n!==0||s;return s=d,n=u.length,f},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,d){t=h(u,d,0)},this.setState=function(u,d,f){const m=u.clippingPlanes,v=u.clipIntersection,g=u.clipShadows,p=i.get(u);if(!s||m===null||m.length===0||r&&!g)r?h(null):c();else{const S=r?0:n,E=S*4;let x=p.clippingState||null;l.value=x,x=h(m,d,E,f);for(let T=0;T!==E;++T)x[T]=t[T];p.clippingState=x,this.numIntersection=v?this.numPlanes:0,this.numPlanes+=S}};function c(){l.value!==t&&(l.value=t,l.needsUpdate=n>0),e.numPlanes=n,e.numIntersection=0}function h(u,d,f,m){const v=u!==null?u.length:0;let g=null;if(v!==0){if(g=l.value,m!==!0||g===null){const p=f+v*4,S=d.matrixWorldInverse;o.getNormalMatrix(S),(g===null||g.length<p)&&(g=new Float32Array(p));for(let E=0,x=f;E!==v;++E,x+=4)a.copy(u[E]).applyMatrix4(S,o),a.normal.toArray(g,x),g[x+3]=a.constant}l.value=g,l.needsUpdate=!0}return e.numPlanes=v,e.numIntersection=0,g}}class Jr extends pn{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;const n={width:e,height:e,depth:1},s=[n,n,n,n,n,n];this.texture=new Wo(s),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;const n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new ft(5,5,5),r=new Tn({name:"CubemapFromEquirect",uniforms:_i(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:1,blending:0});r.uniforms.tEquirect.value=t;const a=new ve(s,r),o=t.minFilter;return t.minFilter===1008&&(t.minFilter=1006),new Br(1,10,this).update(e,a),t.minFilter=o,a.geometry.dispose(),a.material.dispose(),this}clear(e,t=!0,n=!0,s=!0){const r=e.getRenderTarget();for(let a=0;a<6;a++)e.setRenderTarget(this,a),e.clear(t,n,s);e.setRenderTarget(r)}}const Va=256,sd=3,rd=20,Ko=256,Jo=16,ad=3,od=new L,ld=new Ie;class $s{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new Br(1,10,null),this._boxMesh=new ve(new ft(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,n=.1,s=100,r={}){const{size:a=256,position:o=od}=r,l=this._renderer;this._setSize(a);const c=this._allocateTarget(),h=this._getSourceTarget(!0);t>0&&(h.texture.mipmapsAutoUpdate=!1);const u=l.autoClear,d=l.autoClearColor,f=l.autoClearDepth,m=l.autoClearStencil,v=e.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,v===null&&(e.background=l.getClearColor(ld));const g=new Br(n,s,h);return g.position.copy(o),g.update(l,e),l.autoClear=u,l.autoClearColor=d,l.autoClearDepth=f,l.autoClearStencil=m,e.background=v,t>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,t)),this._applyPMREM(c),c}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=qa(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=Xa(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(Va,Dl(e))}_fromTexture(e,t){e.mapping===301||e.mapping===302?this._setSize(e.image.length===0?Va:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);const n=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(n),n}_allocateTarget(){const e=this._cubeSize,t=Wa(e,!1,!1),n=Math.log2(e)-sd;for(let s=0;s<=n;s++)t.texture.mipmaps.push({width:e>>s,height:e>>s});return t.texture.name="PMREM",t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){const t=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==t||e&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=Wa(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,n){const s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=e,r.activeMipmapLevel=t;const a=e.width>>t;e.viewport.set(0,0,a,a),r.update(this._renderer,s),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===301||e.mapping===302?(this._cubemapMaterial===null&&(this._cubemapMaterial=qa()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=Xa()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(e){this._ggxMaterial===null&&(this._ggxMaterial=cd(),this._integrationMaterial=hd());const t=this._cubeSize,n=e.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;const r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(t/Jo);for(let a=0;a<=n;a++){const o=$s.lodToRoughness(a,n);if(a>n-ad)r.roughness.value=o,this._renderCube(e,a,this._integrationMaterial);else{const l=o>0?Math.log2(t)+.5*Math.log2(6/(Ko*Math.pow(o,4)))+.5:0;s.roughness.value=o,s.lodBias.value=l,this._renderCube(e,a,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=ud());const n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(e,0,n),s.envMap.value=e.texture,this._renderCube(r,0,n)}}function Wa(i,e,t){return new Jr(i,{minFilter:1008,generateMipmaps:e,type:1016,colorSpace:zs,depthBuffer:t})}function Vi(i,e,t){return new Tn({name:i,uniforms:e,vertexShader:ze.cube_vert,fragmentShader:t,side:1,blending:0,depthTest:!1,depthWrite:!1})}function cd(){return Vi("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${Ko}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function hd(){return Vi("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:Jo}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function ud(){return Vi("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${rd}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function Xa(){return Vi("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function qa(){return Vi("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function dd(i){let e=new WeakMap,t=new WeakMap,n=null;function s(d,f=!1){return d==null?null:f?a(d):r(d)}function r(d){if(d&&d.isTexture){const f=d.mapping;if(f===303||f===304)if(e.has(d)){const m=e.get(d).texture;return o(m,d.mapping)}else{const m=d.image;if(m&&m.height>0){const v=new Jr(m.height);return v.fromEquirectangularTexture(i,d),e.set(d,v),d.addEventListener("dispose",c),o(v.texture,d.mapping)}else return null}}return d}function a(d){if(d&&d.isTexture&&d.isPMREMTexture!==!0){const f=d.mapping,m=f===303||f===304,v=f===301||f===302;if(m||v){let g=t.get(d);const p=g!==void 0?g.texture.pmremVersion:0;if(d.isRenderTargetTexture&&d.pmremVersion!==p)return n===null&&(n=new $s(i)),g=m?n.fromEquirectangular(d,g):n.fromCubemap(d,g),g.texture.pmremVersion=d.pmremVersion,t.set(d,g),g.texture;if(g!==void 0)return g.texture;{const S=d.image;return m&&S&&S.height>0||v&&S&&l(S)?(n===null&&(n=new $s(i)),g=m?n.fromEquirectangular(d):n.fromCubemap(d),g.texture.pmremVersion=d.pmremVersion,t.set(d,g),d.addEventListener("dispose",h),g.texture):null}}}return d}function o(d,f){return f===303?d.mapping=301:f===304&&(d.mapping=302),d}function l(d){let f=0;const m=6;for(let v=0;v<m;v++)d[v]!==void 0&&f++;return f===m}function c(d){const f=d.target;f.removeEventListener("dispose",c);const m=e.get(f);m!==void 0&&(e.delete(f),m.dispose())}function h(d){const f=d.target;f.removeEventListener("dispose",h);const m=t.get(f);m!==void 0&&(t.delete(f),m.dispose())}function u(){e=new WeakMap,t=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:u}}function fd(i){const e={};function t(n){if(e[n]!==void 0)return e[n];const s=i.getExtension(n);return e[n]=s,s}return{has:function(n){return t(n)!==null},init:function(){t("EXT_color_buffer_float"),t("WEBGL_clip_cull_distance"),t("OES_texture_float_linear"),t("EXT_color_buffer_half_float"),t("WEBGL_multisampled_render_to_texture"),t("WEBGL_render_shared_exponent")},get:function(n){const s=t(n);return s===null&&Fs("WebGLRenderer: "+n+" extension not supported."),s}}}function pd(i,e,t,n){const s={},r=new WeakMap,a=new FinalizationRegistry(m=>delete s[m]);function o(m){l(m.target)}function l(m){m.index!==null&&e.remove(m.index);for(const g in m.attributes)e.remove(m.attributes[g]);m.removeEventListener("dispose",o),delete s[m.id],a.unregister(m);const v=r.get(m);v&&(e.remove(v),r.delete(m)),n.releaseStatesOfGeometry(m),m.isInstancedBufferGeometry===!0&&delete m._maxInstanceCount,t.memory.geometries--}function c(m,v){return s[v.id]!==void 0||(v.addEventListener("dispose",o),s[v.id]=new WeakRef(v),a.register(v,v.id,v),t.memory.geometries++),v}function h(m){const v=m.attributes;for(const g in v)e.update(v[g],i.ARRAY_BUFFER)}function u(m){const v=m.index,g=m.attributes.position;let p=0;if(g===void 0)return;const S=v!==null?v.array.length:g.array.length/3-1,E=g.count>=65535?Go:zo,x=new E(Math.ceil(S/3)*6,1),T=x.array;if(v!==null){const _=v.array;p=v.version;for(let y=0,P=0;y<S;y+=3){const C=_[y+0],F=_[y+1],O=_[y+2];T[P++]=C,T[P++]=F,T[P++]=F,T[P++]=O,T[P++]=O,T[P++]=C}}else{p=g.version;for(let _=0,y=0;_<S;_+=3){const P=_+0,C=_+1,F=_+2;T[y++]=P,T[y++]=C,T[y++]=C,T[y++]=F,T[y++]=F,T[y++]=P}}x.version=p;const A=r.get(m);A&&e.remove(A),r.set(m,x)}function d(m){const v=r.get(m);if(v){const g=m.index;g!==null&&v.version<g.version&&u(m)}else u(m);return r.get(m)}function f(){for(const m in s){const v=s[m].deref();v!==void 0&&l(v)}}return{get:c,update:h,getWireframeAttribute:d,dispose:f}}function md(i,e,t){let n;function s(u){n=u}let r,a;function o(u){r=u.type,a=u.bytesPerElement}function l(u,d){i.drawElements(n,d,r,u*a),t.update(d,n,1)}function c(u,d,f){f!==0&&(i.drawElementsInstanced(n,d,r,u*a,f),t.update(d,n,f))}function h(u,d,f){if(f===0)return;e.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,d,0,r,u,0,f);let v=0;for(let g=0;g<f;g++)v+=d[g];t.update(v,n,1)}this.setMode=s,this.setIndex=o,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function gd(i){const e={geometries:0,textures:0},t={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,a,o){switch(t.calls++,a){case i.TRIANGLES:t.triangles+=o*(r/3);break;case i.LINES:t.lines+=o*(r/2);break;case i.LINE_STRIP:t.lines+=o*(r-1);break;case i.LINE_LOOP:t.lines+=o*r;break;case i.POINTS:t.points+=o*r;break;default:je("WebGLInfo: Unknown draw mode:",a);break}}function s(){t.calls=0,t.triangles=0,t.points=0,t.lines=0}return{memory:e,render:t,programs:null,autoReset:!0,reset:s,update:n}}function _d(i,e,t){const n=new WeakMap,s=new pt;function r(a,o,l){const c=a.morphTargetInfluences,h=o.morphAttributes.position||o.morphAttributes.normal||o.morphAttributes.color,u=h!==void 0?h.length:0;let d=n.get(o);if(d===void 0||d.count!==u){let C=function(){y.dispose(),n.delete(o),o.removeEventListener("dispose",C)};var f=C;d!==void 0&&d.texture.dispose();const m=o.morphAttributes.position!==void 0,v=o.morphAttributes.normal!==void 0,g=o.morphAttributes.color!==void 0,p=o.morphAttributes.position||[],S=o.morphAttributes.normal||[],E=o.morphAttributes.color||[];let x=0;m===!0&&(x=1),v===!0&&(x=2),g===!0&&(x=3);let T=o.attributes.position.count*x,A=1;T>e.maxTextureSize&&(A=Math.ceil(T/e.maxTextureSize),T=e.maxTextureSize);const _=new Float32Array(T*A*4*u),y=new Bo(_,T,A,u);y.type=1015,y.needsUpdate=!0;const P=x*4;for(let F=0;F<u;F++){const O=p[F],X=S[F],I=E[F],z=T*A*4*F;for(let Y=0;Y<O.count;Y++){const B=Y*P;m===!0&&(s.fromBufferAttribute(O,Y),_[z+B+0]=s.x,_[z+B+1]=s.y,_[z+B+2]=s.z,_[z+B+3]=0),v===!0&&(s.fromBufferAttribute(X,Y),_[z+B+4]=s.x,_[z+B+5]=s.y,_[z+B+6]=s.z,_[z+B+7]=0),g===!0&&(s.fromBufferAttribute(I,Y),_[z+B+8]=s.x,_[z+B+9]=s.y,_[z+B+10]=s.z,_[z+B+11]=I.itemSize===4?s.w:1)}}d={count:u,texture:y,size:new qe(T,A)},n.set(o,d),o.addEventListener("dispose",C)}if(a.isInstancedMesh===!0&&a.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",a.morphTexture,t);else{let m=0;for(let g=0;g<c.length;g++)m+=c[g];const v=o.morphTargetsRelative?1:1-m;l.getUniforms().setValue(i,"morphTargetBaseInfluence",v),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",d.texture,t),l.getUniforms().setValue(i,"morphTargetsTextureSize",d.size)}return{update:r}}function vd(i,e,t,n,s){let r=new WeakMap;function a(c){const h=s.render.frame,u=c.geometry,d=e.get(c,u);if(r.get(d)!==h&&(e.update(d),r.set(d,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(t.update(c.instanceMatrix,i.ARRAY_BUFFER),c.instanceColor!==null&&t.update(c.instanceColor,i.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){const f=c.skeleton;r.get(f)!==h&&(f.update(),r.set(f,h))}return d}function o(){r=new WeakMap}function l(c){const h=c.target;h.removeEventListener("dispose",l),n.releaseStatesOfObject(h),t.remove(h.instanceMatrix),h.instanceColor!==null&&t.remove(h.instanceColor)}return{update:a,dispose:o}}const xd={1:"LINEAR_TONE_MAPPING",2:"REINHARD_TONE_MAPPING",3:"CINEON_TONE_MAPPING",4:"ACES_FILMIC_TONE_MAPPING",6:"AGX_TONE_MAPPING",7:"NEUTRAL_TONE_MAPPING",5:"CUSTOM_TONE_MAPPING"};function Sd(i,e,t,n,s,r){const a=new pn(e,t,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1});let o=null,l=null,c=null;const h=new mt;h.setAttribute("position",new tt([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new tt([0,2,0,0,2,0],2));const u=new Or({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),d=new ve(h,u),f=new fc(-1,1,1,-1,0,1);let m=null,v=null,g=!1,p,S=null,E=[],x=!1;this.setSize=function(T,A){a.setSize(T,A),o!==null&&o.setSize(T,A),l!==null&&l.setSize(T,A);for(let _=0;_<E.length;_++){const y=E[_];y.setSize&&y.setSize(T,A)}},this.setEffects=function(T){E=T,x=E.length>0&&E[0].isRenderPass===!0;const A=a.width,_=a.height;E.length>0&&o===null&&(o=new pn(A,_,{type:1016,depthBuffer:!1,stencilBuffer:!1}),l=new pn(A,_,{type:1016,depthBuffer:!1,stencilBuffer:!1}));const y=s===!0&&E.some(P=>P.needsDepthTexture===!0);y!==(a.depthTexture!==null)&&(y===!0&&c===null&&(c=new gi(A,_),r===!0&&(c.format=1027,c.type=1020)),a.dispose(),a.depthTexture=y?c:null,a.resolveDepthBuffer=y,a.storeMultisampledDepthBuffer=y);for(let P=0;P<E.length;P++){const C=E[P];C.setSize&&C.setSize(A,_),y&&C.needsDepthTexture===!0&&C.setDepthTexture&&C.setDepthTexture(c)}},this.begin=function(T,A){if(g||T.toneMapping===0&&E.length===0)return!1;if(S=A,A!==null){const _=A.width,y=A.height;(a.width!==_||a.height!==y)&&this.setSize(_,y)}return x===!1&&T.setRenderTarget(a),p=T.toneMapping,T.toneMapping=0,!0},this.hasRenderPass=function(){return x},this.end=function(T,A){T.toneMapping=p,g=!0;let _=a,y=o;for(let P=0;P<E.length;P++){const C=E[P];C.enabled!==!1&&(C.render(T,y,_,A),C.needsSwap!==!1&&(_=y,y=y===o?l:o))}if(m!==T.outputColorSpace||v!==T.toneMapping){m=T.outputColorSpace,v=T.toneMapping,u.defines={},We.getTransfer(m)===et&&(u.defines.SRGB_TRANSFER="");const P=xd[v];P&&(u.defines[P]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=_.texture,T.setRenderTarget(S),T.render(d,f),S=null,g=!1},this.isCompositing=function(){return g},this.dispose=function(){a.dispose(),o!==null&&o.dispose(),l!==null&&l.dispose(),h.dispose(),u.dispose()}}const Qo=new Ot,el=new gi(1,1),tl=new Xo(1),nl=new Bo,il=new zl,sl=new Wo,$a=[],Ya=[],Za=new Float32Array(16),ja=new Float32Array(9),Ka=new Float32Array(4);function Mi(i,e,t){const n=i[0];if(n<=0||n>0)return i;const s=e*t;let r=$a[s];if(r===void 0&&(r=new Float32Array(s),$a[s]=r),e!==0){n.toArray(r,0);for(let a=1,o=0;a!==e;++a)o+=t,i[a].toArray(r,o)}return r}function bt(i,e){if(i.length!==e.length)return!1;for(let t=0,n=i.length;t<n;t++)if(i[t]!==e[t])return!1;return!0}function wt(i,e){for(let t=0,n=e.length;t<n;t++)i[t]=e[t]}function Js(i,e){let t=Ya[e];t===void 0&&(t=new Int32Array(e),Ya[e]=t);for(let n=0;n!==e;++n)t[n]=i.allocateTextureUnit();return t}function Md(i,e){const t=this.cache;t[0]!==e&&(i.uniform1f(this.addr,e),t[0]=e)}function yd(i,e){const t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2f(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(bt(t,e))return;i.uniform2fv(this.addr,e),wt(t,e)}}function bd(i,e){const t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3f(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else if(e.r!==void 0)(t[0]!==e.r||t[1]!==e.g||t[2]!==e.b)&&(i.uniform3f(this.addr,e.r,e.g,e.b),t[0]=e.r,t[1]=e.g,t[2]=e.b);else{if(bt(t,e))return;i.uniform3fv(this.addr,e),wt(t,e)}}function wd(i,e){const t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4f(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(bt(t,e))return;i.uniform4fv(this.addr,e),wt(t,e)}}function Ed(i,e){const t=this.cache,n=e.elements;if(n===void 0){if(bt(t,e))return;i.uniformMatrix2fv(this.addr,!1,e),wt(t,e)}else{if(bt(t,n))return;Ka.set(n),i.uniformMatrix2fv(this.addr,!1,Ka),wt(t,n)}}function Td(i,e){const t=this.cache,n=e.elements;if(n===void 0){if(bt(t,e))return;i.uniformMatrix3fv(this.addr,!1,e),wt(t,e)}else{if(bt(t,n))return;ja.set(n),i.uniformMatrix3fv(this.addr,!1,ja),wt(t,n)}}function Ad(i,e){const t=this.cache,n=e.elements;if(n===void 0){if(bt(t,e))return;i.uniformMatrix4fv(this.addr,!1,e),wt(t,e)}else{if(bt(t,n))return;Za.set(n),i.uniformMatrix4fv(this.addr,!1,Za),wt(t,n)}}function Rd(i,e){const t=this.cache;t[0]!==e&&(i.uniform1i(this.addr,e),t[0]=e)}function Cd(i,e){const t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2i(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(bt(t,e))return;i.uniform2iv(this.addr,e),wt(t,e)}}function Pd(i,e){const t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3i(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(bt(t,e))return;i.uniform3iv(this.addr,e),wt(t,e)}}function Ld(i,e){const t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4i(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(bt(t,e))return;i.uniform4iv(this.addr,e),wt(t,e)}}function Dd(i,e){const t=this.cache;t[0]!==e&&(i.uniform1ui(this.addr,e),t[0]=e)}function Id(i,e){const t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2ui(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(bt(t,e))return;i.uniform2uiv(this.addr,e),wt(t,e)}}function Nd(i,e){const t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3ui(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(bt(t,e))return;i.uniform3uiv(this.addr,e),wt(t,e)}}function Fd(i,e){const t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4ui(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(bt(t,e))return;i.uniform4uiv(this.addr,e),wt(t,e)}}function Qs(i){return i.version===0&&(i.compareFunction=519,i.needsUpdate=!0),i}function Ud(i,e,t){const n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=Qs(el):r=Qo,t.setTexture2D(e||r,s)}function Od(i,e,t){const n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),t.setTexture3D(e||il,s)}function Bd(i,e,t){const n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=Qs(tl):r=sl,t.setTextureCube(e||r,s)}function kd(i,e,t){const n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),t.setTexture2DArray(e||nl,s)}function zd(i){switch(i){case 5126:return Md;case 35664:return yd;case 35665:return bd;case 35666:return wd;case 35674:return Ed;case 35675:return Td;case 35676:return Ad;case 5124:case 35670:return Rd;case 35667:case 35671:return Cd;case 35668:case 35672:return Pd;case 35669:case 35673:return Ld;case 5125:return Dd;case 36294:return Id;case 36295:return Nd;case 36296:return Fd;case 35678:case 36198:case 36298:case 36306:case 35682:return Ud;case 35679:case 36299:case 36307:return Od;case 35680:case 36300:case 36308:case 36293:return Bd;case 36289:case 36303:case 36311:case 36292:return kd}}function Gd(i,e){i.uniform1fv(this.addr,e)}function Hd(i,e){const t=Mi(e,this.size,2);i.uniform2fv(this.addr,t)}function Vd(i,e){const t=Mi(e,this.size,3);i.uniform3fv(this.addr,t)}function Wd(i,e){const t=Mi(e,this.size,4);i.uniform4fv(this.addr,t)}function Xd(i,e){const t=Mi(e,this.size,4);i.uniformMatrix2fv(this.addr,!1,t)}function qd(i,e){const t=Mi(e,this.size,9);i.uniformMatrix3fv(this.addr,!1,t)}function $d(i,e){const t=Mi(e,this.size,16);i.uniformMatrix4fv(this.addr,!1,t)}function Yd(i,e){i.uniform1iv(this.addr,e)}function Zd(i,e){i.uniform2iv(this.addr,e)}function jd(i,e){i.uniform3iv(this.addr,e)}function Kd(i,e){i.uniform4iv(this.addr,e)}function Jd(i,e){i.uniform1uiv(this.addr,e)}function Qd(i,e){i.uniform2uiv(this.addr,e)}function ef(i,e){i.uniform3uiv(this.addr,e)}function tf(i,e){i.uniform4uiv(this.addr,e)}function nf(i,e,t){const n=this.cache,s=e.length,r=Js(t,s);bt(n,r)||(i.uniform1iv(this.addr,r),wt(n,r));let a;this.type===i.SAMPLER_2D_SHADOW?a=Qs(el):a=Qo;for(let o=0;o!==s;++o)t.setTexture2D(e[o]||a,r[o])}function sf(i,e,t){const n=this.cache,s=e.length,r=Js(t,s);bt(n,r)||(i.uniform1iv(this.addr,r),wt(n,r));for(let a=0;a!==s;++a)t.setTexture3D(e[a]||il,r[a])}function rf(i,e,t){const n=this.cache,s=e.length,r=Js(t,s);bt(n,r)||(i.uniform1iv(this.addr,r),wt(n,r));let a;this.type===i.SAMPLER_CUBE_SHADOW?a=Qs(tl):a=sl;for(let o=0;o!==s;++o)t.setTextureCube(e[o]||a,r[o])}function af(i,e,t){const n=this.cache,s=e.length,r=Js(t,s);bt(n,r)||(i.uniform1iv(this.addr,r),wt(n,r));for(let a=0;a!==s;++a)t.setTexture2DArray(e[a]||nl,r[a])}function of(i){switch(i){case 5126:return Gd;case 35664:return Hd;case 35665:return Vd;case 35666:return Wd;case 35674:return Xd;case 35675:return qd;case 35676:return $d;case 5124:case 35670:return Yd;case 35667:case 35671:return Zd;case 35668:case 35672:return jd;case 35669:case 35673:return Kd;case 5125:return Jd;case 36294:return Qd;case 36295:return ef;case 36296:return tf;case 35678:case 36198:case 36298:case 36306:case 35682:return nf;case 35679:case 36299:case 36307:return sf;case 35680:case 36300:case 36308:case 36293:return rf;case 36289:case 36303:case 36311:case 36292:return af}}class lf{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=zd(t.type)}}class cf{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=of(t.type)}}class hf{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){const s=this.seq;for(let r=0,a=s.length;r!==a;++r){const o=s[r];o.setValue(e,t[o.id],n)}}}const Tr=/(\w+)(\])?(\[|\.)?/g;function Ja(i,e){i.seq.push(e),i.map[e.id]=e}function uf(i,e,t){const n=i.name,s=n.length;for(Tr.lastIndex=0;;){const r=Tr.exec(n),a=Tr.lastIndex;let o=r[1];const l=r[2]==="]",c=r[3];if(l&&(o=o|0),c===void 0||c==="["&&a+2===s){Ja(t,c===void 0?new lf(o,i,e):new cf(o,i,e));break}else{let u=t.map[o];u===void 0&&(u=new hf(o),Ja(t,u)),t=u}}}class Os{constructor(e,t){this.seq=[],this.map={};const n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let a=0;a<n;++a){const o=e.getActiveUniform(t,a),l=e.getUniformLocation(t,o.name);uf(o,l,this)}const s=[],r=[];for(const a of this.seq)a.type===e.SAMPLER_2D_SHADOW||a.type===e.SAMPLER_CUBE_SHADOW||a.type===e.SAMPLER_2D_ARRAY_SHADOW?s.push(a):r.push(a);s.length>0&&(this.seq=s.concat(r))}setValue(e,t,n,s){const r=this.map[t];r!==void 0&&r.setValue(e,n,s)}setOptional(e,t,n){const s=t[n];s!==void 0&&this.setValue(e,n,s)}static upload(e,t,n,s){for(let r=0,a=t.length;r!==a;++r){const o=t[r],l=n[o.id];l.needsUpdate!==!1&&o.setValue(e,l.value,s)}}static seqWithValue(e,t){const n=[];for(let s=0,r=e.length;s!==r;++s){const a=e[s];a.id in t&&n.push(a)}return n}}function Qa(i,e,t){const n=i.createShader(e);return i.shaderSource(n,t),i.compileShader(n),n}const df=37297;let ff=0;function pf(i,e){const t=i.split(`
`),n=[],s=Math.max(e-6,0),r=Math.min(e+6,t.length);for(let a=s;a<r;a++){const o=a+1;n.push(`${o===e?">":" "} ${o}: ${t[a]}`)}return n.join(`
`)}const eo=new Ue;function mf(i){We._getMatrix(eo,We.workingColorSpace,i);const e=`mat3( ${eo.elements.map(t=>t.toFixed(4))} )`;switch(We.getTransfer(i)){case Gs:return[e,"LinearTransferOETF"];case et:return[e,"sRGBTransferOETF"];default:return Pe("WebGLProgram: Unsupported color space: ",i),[e,"LinearTransferOETF"]}}function to(i,e,t){const n=i.getShaderParameter(e,i.COMPILE_STATUS),r=(i.getShaderInfoLog(e)||"").trim();if(n&&r==="")return"";const a=/ERROR: 0:(\d+)/.exec(r);if(a){const o=parseInt(a[1]);return t.toUpperCase()+`

`+r+`

`+pf(i.getShaderSource(e),o)}else return r}function gf(i,e){const t=mf(e);return[`vec4 ${i}( vec4 value ) {`,`	return ${t[1]}( vec4( ${t[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}const _f={1:"Linear",2:"Reinhard",3:"Cineon",4:"ACESFilmic",6:"AgX",7:"Neutral",5:"Custom"};function vf(i,e){const t=_f[e];return t===void 0?(Pe("WebGLProgram: Unsupported toneMapping:",e),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+t+"ToneMapping( color ); }"}const Ms=new L;function xf(){We.getLuminanceCoefficients(Ms);const i=Ms.x.toFixed(4),e=Ms.y.toFixed(4),t=Ms.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${e}, ${t} );`,"	return dot( weights, rgb );","}"].join(`
`)}function Sf(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(Fi).join(`
`)}function Mf(i){const e=[];for(const t in i){const n=i[t];n!==!1&&e.push("#define "+t+" "+n)}return e.join(`
`)}function yf(i,e){const t={},n=i.getProgramParameter(e,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){const r=i.getActiveAttrib(e,s),a=r.name;let o=1;r.type===i.FLOAT_MAT2&&(o=2),r.type===i.FLOAT_MAT3&&(o=3),r.type===i.FLOAT_MAT4&&(o=4),t[a]={type:r.type,location:i.getAttribLocation(e,a),locationSize:o}}return t}function Fi(i){return i!==""}function no(i,e){const t=e.numSpotLightShadows+e.numSpotLightMaps-e.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,e.numSunLights).replace(/NUM_DIR_LIGHTS/g,e.numDirLights).replace(/NUM_SPOT_LIGHTS/g,e.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,e.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,t).replace(/NUM_RECT_AREA_LIGHTS/g,e.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,e.numPointLights).replace(/NUM_HEMI_LIGHTS/g,e.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,e.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,e.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,e.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,e.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,e.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,e.numLightProbeGrids)}function io(i,e){return i.replace(/NUM_CLIPPING_PLANES/g,e.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,e.numClippingPlanes-e.numClipIntersection)}const bf=/^[ \t]*#include +<([\w\d./]+)>/gm;function zr(i){return i.replace(bf,wf)}function wf(i,e){const t=ze[e];if(t===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+e+">");return zr(t)}const Ef=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function so(i){return i.replace(Ef,Tf)}function Tf(i,e,t,n){let s="";for(let r=parseInt(e);r<parseInt(t);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function ro(i){let e=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?e+=`
#define HIGH_PRECISION`:i.precision==="mediump"?e+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(e+=`
#define LOW_PRECISION`),e}const Af={1:"SHADOWMAP_TYPE_PCF",3:"SHADOWMAP_TYPE_VSM"};function Rf(i){return Af[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}const Cf={302:"ENVMAP_MODE_REFRACTION"};function Pf(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":Cf[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}const Lf={0:"ENVMAP_BLENDING_MULTIPLY",1:"ENVMAP_BLENDING_MIX",2:"ENVMAP_BLENDING_ADD"};function Df(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":Lf[i.combine]||"ENVMAP_BLENDING_NONE"}function If(i,e,t,n){const s=i.getContext(),r=t.defines;let a=t.vertexShader,o=t.fragmentShader;const l=Rf(t),c=t.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=Pf(t),u=Df(t),d=Sf(t),f=Mf(r),m=s.createProgram();let v,g,p=t.glslVersion?"#version "+t.glslVersion+`
`:"";t.isRawShaderMaterial?(v=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(Fi).join(`
`),v.length>0&&(v+=`
`),g=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(Fi).join(`
`),g.length>0&&(g+=`
`)):(v=[ro(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",t.batching?"#define USE_BATCHING":"",t.batchingColor?"#define USE_BATCHING_COLOR":"",t.instancing?"#define USE_INSTANCING":"",t.instancingColor?"#define USE_INSTANCING_COLOR":"",t.instancingMorph?"#define USE_INSTANCING_MORPH":"",t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.map?"#define USE_MAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+h:"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.displacementMap?"#define USE_DISPLACEMENTMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.mapUv?"#define MAP_UV "+t.mapUv:"",t.alphaMapUv?"#define ALPHAMAP_UV "+t.alphaMapUv:"",t.lightMapUv?"#define LIGHTMAP_UV "+t.lightMapUv:"",t.aoMapUv?"#define AOMAP_UV "+t.aoMapUv:"",t.emissiveMapUv?"#define EMISSIVEMAP_UV "+t.emissiveMapUv:"",t.bumpMapUv?"#define BUMPMAP_UV "+t.bumpMapUv:"",t.normalMapUv?"#define NORMALMAP_UV "+t.normalMapUv:"",t.displacementMapUv?"#define DISPLACEMENTMAP_UV "+t.displacementMapUv:"",t.metalnessMapUv?"#define METALNESSMAP_UV "+t.metalnessMapUv:"",t.roughnessMapUv?"#define ROUGHNESSMAP_UV "+t.roughnessMapUv:"",t.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+t.anisotropyMapUv:"",t.clearcoatMapUv?"#define CLEARCOATMAP_UV "+t.clearcoatMapUv:"",t.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+t.clearcoatNormalMapUv:"",t.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+t.clearcoatRoughnessMapUv:"",t.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+t.diffuseRoughnessMapUv:"",t.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+t.iridescenceMapUv:"",t.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+t.iridescenceThicknessMapUv:"",t.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+t.sheenColorMapUv:"",t.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+t.sheenRoughnessMapUv:"",t.specularMapUv?"#define SPECULARMAP_UV "+t.specularMapUv:"",t.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+t.specularColorMapUv:"",t.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+t.specularIntensityMapUv:"",t.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+t.transmissionMapUv:"",t.thicknessMapUv?"#define THICKNESSMAP_UV "+t.thicknessMapUv:"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexNormals?"#define HAS_NORMAL":"",t.vertexColors?"#define USE_COLOR":"",t.vertexAlphas?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.flatShading?"#define FLAT_SHADED":"",t.skinning?"#define USE_SKINNING":"",t.morphTargets?"#define USE_MORPHTARGETS":"",t.morphNormals&&t.flatShading===!1?"#define USE_MORPHNORMALS":"",t.morphColors?"#define USE_MORPHCOLORS":"",t.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+t.morphTextureStride:"",t.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+t.morphTargetsCount:"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+l:"",t.sizeAttenuation?"#define USE_SIZEATTENUATION":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(Fi).join(`
`),g=[ro(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",t.map?"#define USE_MAP":"",t.matcap?"#define USE_MATCAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+c:"",t.envMap?"#define "+h:"",t.envMap?"#define "+u:"",t.envMapPMREM?"#define ENVMAP_MAX_LOD "+t.envMapMaxLod+".0":"",t.envMapPMREM?"#define ENVMAP_SIZE "+t.envMapSize+".0":"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoat?"#define USE_CLEARCOAT":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.dispersion?"#define USE_DISPERSION":"",t.retroreflection?"#define USE_RETROREFLECTION":"",t.iridescence?"#define USE_IRIDESCENCE":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaTest?"#define USE_ALPHATEST":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.sheen?"#define USE_SHEEN":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexColors||t.instancingColor?"#define USE_COLOR":"",t.vertexAlphas||t.batchingColor?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.gradientMap?"#define USE_GRADIENTMAP":"",t.flatShading?"#define FLAT_SHADED":"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+l:"",t.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",t.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",t.toneMapping!==0?"#define TONE_MAPPING":"",t.toneMapping!==0?ze.tonemapping_pars_fragment:"",t.toneMapping!==0?vf("toneMapping",t.toneMapping):"",t.dithering?"#define DITHERING":"",t.opaque?"#define OPAQUE":"",ze.colorspace_pars_fragment,gf("linearToOutputTexel",t.outputColorSpace),xf(),t.useDepthPacking?"#define DEPTH_PACKING "+t.depthPacking:"",`
`].filter(Fi).join(`
`)),a=zr(a),a=no(a,t),a=io(a,t),o=zr(o),o=no(o,t),o=io(o,t),a=so(a),o=so(o),t.isRawShaderMaterial!==!0&&(p=`#version 300 es
`,v=[d,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+v,g=["#define varying in",t.glslVersion===Hs?"":"layout(location = 0) out highp vec4 pc_fragColor;",t.glslVersion===Hs?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+g);const S=p+v+a,E=p+g+o,x=Qa(s,s.VERTEX_SHADER,S),T=Qa(s,s.FRAGMENT_SHADER,E);s.attachShader(m,x),s.attachShader(m,T),t.index0AttributeName!==void 0?s.bindAttribLocation(m,0,t.index0AttributeName):t.hasPositionAttribute===!0&&s.bindAttribLocation(m,0,"position"),s.linkProgram(m);function A(C){if(i.debug.checkShaderErrors){const F=s.getProgramInfoLog(m)||"",O=s.getShaderInfoLog(x)||"",X=s.getShaderInfoLog(T)||"",I=F.trim(),z=O.trim(),Y=X.trim();let B=!0,te=!0;if(s.getProgramParameter(m,s.LINK_STATUS)===!1)if(B=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,m,x,T);else{const V=to(s,x,"vertex"),Q=to(s,T,"fragment");je("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(m,s.VALIDATE_STATUS)+`

Material Name: `+C.name+`
Material Type: `+C.type+`

Program Info Log: `+I+`
`+V+`
`+Q)}else I!==""?Pe("WebGLProgram: Program Info Log:",I):(z===""||Y==="")&&(te=!1);te&&(C.diagnostics={runnable:B,programLog:I,vertexShader:{log:z,prefix:v},fragmentShader:{log:Y,prefix:g}})}s.deleteShader(x),s.deleteShader(T),_=new Os(s,m),y=yf(s,m)}let _;this.getUniforms=function(){return _===void 0&&A(this),_};let y;this.getAttributes=function(){return y===void 0&&A(this),y};let P=t.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return P===!1&&(P=s.getProgramParameter(m,df)),P},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(m),this.program=void 0},this.type=t.shaderType,this.name=t.shaderName,this.id=ff++,this.cacheKey=e,this.usedTimes=1,this.program=m,this.vertexShader=x,this.fragmentShader=T,this}let Nf=0;class Ff{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){const s=this._getShaderCacheForMaterial(e);return s.has(t)===!1&&(s.add(t),t.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(e){const t=this.materialCache.get(e);for(const n of t)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){const t=this.materialCache;let n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_getShaderStage(e){const t=this.shaderCache;let n=t.get(e);return n===void 0&&(n=new Uf(e),t.set(e,n)),n}}class Uf{constructor(e){this.id=Nf++,this.code=e,this.usedTimes=0}}function Of(i){return i===1030||i===37490||i===36285}function Bf(i,e,t,n,s,r){const a=new Zr,o=new Ff,l=new Set,c=[],h=new Map,u=n.logarithmicDepthBuffer,d={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function f(_){return l.add(_),_===0?"uv":`uv${_}`}function m(_,y,P,C,F,O){const X=C.fog,I=F.geometry,z=_.isMeshStandardMaterial||_.isMeshLambertMaterial||_.isMeshPhongMaterial?C.environment:null,Y=_.isMeshStandardMaterial||_.isMeshLambertMaterial&&!_.envMap||_.isMeshPhongMaterial&&!_.envMap,B=e.get(_.envMap||z,Y),te=d[_.type];let V=n.precision;_.precision!==null&&(V=n.getMaxPrecision(_.precision),V!==_.precision&&Pe("WebGLProgram.getParameters:",_.precision,"not supported, using",V,"instead."));const Q=I.morphAttributes.position||I.morphAttributes.normal||I.morphAttributes.color,ee=Q!==void 0?Q.length:0;let xe=0;I.morphAttributes.position!==void 0&&(xe=1),I.morphAttributes.normal!==void 0&&(xe=2),I.morphAttributes.color!==void 0&&(xe=3);let Le,Z,me,Me;if(te){const fe=fn[te];Le=fe.vertexShader,Z=fe.fragmentShader}else{Le=_.vertexShader,Z=_.fragmentShader;const fe=o.getVertexShaderStage(_),Qe=o.getFragmentShaderStage(_);o.update(_,fe,Qe),me=fe.id,Me=Qe.id}const Ae=i.getRenderTarget(),ge=i.state.buffers.depth.getReversed(),Fe=F.isInstancedMesh===!0,gt=F.isBatchedMesh===!0,Ce=!!_.map,Je=!!_.matcap,nt=!!B,Ge=nt&&B.isPMREMTexture===!0,Ct=!!_.aoMap,xt=!!_.lightMap,zt=!!_.bumpMap&&_.wireframe===!1,ht=!!_.normalMap,ln=!!_.displacementMap,Et=!!_.emissiveMap,$t=!!_.metalnessMap,Yt=!!_.roughnessMap,Zt=_.anisotropy>0,U=_.clearcoat>0,jt=_.diffuseRoughness>0,ot=_.dispersion>0,lt=_.retroreflectivity>0,de=_.iridescence>0,St=_.sheen>0,Re=_.transmission>0,De=Zt&&!!_.anisotropyMap,R=U&&!!_.clearcoatMap,b=U&&!!_.clearcoatNormalMap,G=U&&!!_.clearcoatRoughnessMap,ne=jt&&!!_.diffuseRoughnessMap,J=de&&!!_.iridescenceMap,re=de&&!!_.iridescenceThicknessMap,he=St&&!!_.sheenColorMap,$=St&&!!_.sheenRoughnessMap,j=!!_.specularMap,oe=!!_.specularColorMap,D=!!_.specularIntensityMap,K=Re&&!!_.transmissionMap,q=Re&&!!_.thicknessMap,le=!!_.gradientMap,se=!!_.alphaMap,ae=_.alphaTest>0,Ee=!!_.alphaHash,ke=!!_.extensions;let ie=0;_.toneMapped&&(Ae===null||Ae.isXRRenderTarget===!0)&&(ie=i.toneMapping);const Te=Ge?B.isCompressedCubeTexture?B.image[0].mipmaps:B.mipmaps:null,Be={shaderID:te,shaderType:_.type,shaderName:_.name,vertexShader:Le,fragmentShader:Z,defines:_.defines,customVertexShaderID:me,customFragmentShaderID:Me,isRawShaderMaterial:_.isRawShaderMaterial===!0,glslVersion:_.glslVersion,precision:V,batching:gt,batchingColor:gt&&F._colorsTexture!==null,instancing:Fe,instancingColor:Fe&&F.instanceColor!==null,instancingMorph:Fe&&F.morphTexture!==null,outputColorSpace:Ae===null?i.outputColorSpace:Ae.isXRRenderTarget===!0?Ae.texture.colorSpace:We.workingColorSpace,alphaToCoverage:!!_.alphaToCoverage,map:Ce,matcap:Je,envMap:nt,envMapMode:nt&&B.mapping,envMapPMREM:Ge,envMapMaxLod:Ge?Te.length-1:null,envMapSize:Ge?Te[0].width:null,aoMap:Ct,lightMap:xt,bumpMap:zt,normalMap:ht,displacementMap:ln,emissiveMap:Et,normalMapObjectSpace:ht&&_.normalMapType===1,normalMapTangentSpace:ht&&_.normalMapType===0,packedNormalMap:ht&&_.normalMapType===0&&Of(_.normalMap.format),metalnessMap:$t,roughnessMap:Yt,anisotropy:Zt,anisotropyMap:De,clearcoat:U,clearcoatMap:R,clearcoatNormalMap:b,clearcoatRoughnessMap:G,diffuseRoughness:jt,diffuseRoughnessMap:ne,dispersion:ot,retroreflection:lt,iridescence:de,iridescenceMap:J,iridescenceThicknessMap:re,sheen:St,sheenColorMap:he,sheenRoughnessMap:$,specularMap:j,specularColorMap:oe,specularIntensityMap:D,transmission:Re,transmissionMap:K,thicknessMap:q,gradientMap:le,opaque:_.transparent===!1&&_.blending===1&&_.alphaToCoverage===!1,alphaMap:se,alphaTest:ae,alphaHash:Ee,combine:_.combine,mapUv:Ce&&f(_.map.channel),aoMapUv:Ct&&f(_.aoMap.channel),lightMapUv:xt&&f(_.lightMap.channel),bumpMapUv:zt&&f(_.bumpMap.channel),normalMapUv:ht&&f(_.normalMap.channel),displacementMapUv:ln&&f(_.displacementMap.channel),emissiveMapUv:Et&&f(_.emissiveMap.channel),metalnessMapUv:$t&&f(_.metalnessMap.channel),roughnessMapUv:Yt&&f(_.roughnessMap.channel),anisotropyMapUv:De&&f(_.anisotropyMap.channel),clearcoatMapUv:R&&f(_.clearcoatMap.channel),clearcoatNormalMapUv:b&&f(_.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:G&&f(_.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:ne&&f(_.diffuseRoughnessMap.channel),iridescenceMapUv:J&&f(_.iridescenceMap.channel),iridescenceThicknessMapUv:re&&f(_.iridescenceThicknessMap.channel),sheenColorMapUv:he&&f(_.sheenColorMap.channel),sheenRoughnessMapUv:$&&f(_.sheenRoughnessMap.channel),specularMapUv:j&&f(_.specularMap.channel),specularColorMapUv:oe&&f(_.specularColorMap.channel),specularIntensityMapUv:D&&f(_.specularIntensityMap.channel),transmissionMapUv:K&&f(_.transmissionMap.channel),thicknessMapUv:q&&f(_.thicknessMap.channel),alphaMapUv:se&&f(_.alphaMap.channel),vertexTangents:!!I.attributes.tangent&&(ht||Zt),vertexNormals:!!I.attributes.normal,vertexColors:_.vertexColors,vertexAlphas:_.vertexColors===!0&&!!I.attributes.color&&I.attributes.color.itemSize===4,pointsUvs:F.isPoints===!0&&!!I.attributes.uv&&(Ce||se),fog:!!X,useFog:_.fog===!0,fogExp2:!!X&&X.isFogExp2,flatShading:_.wireframe===!1&&(_.flatShading===!0||I.attributes.normal===void 0&&ht===!1&&(_.isMeshLambertMaterial||_.isMeshPhongMaterial||_.isMeshStandardMaterial||_.isMeshPhysicalMaterial)),sizeAttenuation:_.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:ge,skinning:F.isSkinnedMesh===!0,hasPositionAttribute:I.attributes.position!==void 0,morphTargets:I.morphAttributes.position!==void 0,morphNormals:I.morphAttributes.normal!==void 0,morphColors:I.morphAttributes.color!==void 0,morphTargetsCount:ee,morphTextureStride:xe,numSunLights:y.sun.length,numDirLights:y.directional.length,numPointLights:y.point.length,numSpotLights:y.spot.length,numSpotLightMaps:y.spotLightMap.length,numRectAreaLights:y.rectArea.length,numHemiLights:y.hemi.length,numSunLightShadows:y.sunShadowMap.length,numDirLightShadows:y.directionalShadowMap.length,numPointLightShadows:y.pointShadowMap.length,numSpotLightShadows:y.spotShadowMap.length,numSpotLightShadowsWithMaps:y.numSpotLightShadowsWithMaps,numLightProbes:y.numLightProbes,numLightProbeGrids:O.filter(fe=>fe.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:_.dithering,shadowMapEnabled:i.shadowMap.enabled&&P.length>0,shadowMapType:i.shadowMap.type,toneMapping:ie,decodeVideoTexture:Ce&&_.map.isVideoTexture===!0&&We.getTransfer(_.map.colorSpace)===et,decodeVideoTextureEmissive:Et&&_.emissiveMap.isVideoTexture===!0&&We.getTransfer(_.emissiveMap.colorSpace)===et,premultipliedAlpha:_.premultipliedAlpha,doubleSided:_.side===2,flipSided:_.side===1,useDepthPacking:_.depthPacking>=0,depthPacking:_.depthPacking||0,index0AttributeName:_.index0AttributeName,extensionClipCullDistance:ke&&_.extensions.clipCullDistance===!0&&t.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(ke&&_.extensions.multiDraw===!0||gt)&&t.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:t.has("KHR_parallel_shader_compile"),customProgramCacheKey:_.customProgramCacheKey()};return Be.vertexUv1s=l.has(1),Be.vertexUv2s=l.has(2),Be.vertexUv3s=l.has(3),l.clear(),Be}function v(_){const y=[];if(_.shaderID?y.push(_.shaderID):(y.push(_.customVertexShaderID),y.push(_.customFragmentShaderID)),_.defines!==void 0)for(const P in _.defines)y.push(P),y.push(_.defines[P]);return _.isRawShaderMaterial===!1&&(g(y,_),p(y,_),y.push(i.outputColorSpace)),y.push(_.customProgramCacheKey),y.join()}function g(_,y){_.push(y.precision),_.push(y.outputColorSpace),_.push(y.envMapMode),_.push(y.envMapPMREM),_.push(y.envMapMaxLod),_.push(y.envMapSize),_.push(y.mapUv),_.push(y.alphaMapUv),_.push(y.lightMapUv),_.push(y.aoMapUv),_.push(y.bumpMapUv),_.push(y.normalMapUv),_.push(y.displacementMapUv),_.push(y.emissiveMapUv),_.push(y.metalnessMapUv),_.push(y.roughnessMapUv),_.push(y.anisotropyMapUv),_.push(y.clearcoatMapUv),_.push(y.clearcoatNormalMapUv),_.push(y.clearcoatRoughnessMapUv),_.push(y.diffuseRoughnessMapUv),_.push(y.iridescenceMapUv),_.push(y.iridescenceThicknessMapUv),_.push(y.sheenColorMapUv),_.push(y.sheenRoughnessMapUv),_.push(y.specularMapUv),_.push(y.specularColorMapUv),_.push(y.specularIntensityMapUv),_.push(y.transmissionMapUv),_.push(y.thicknessMapUv),_.push(y.combine),_.push(y.fogExp2),_.push(y.sizeAttenuation),_.push(y.morphTargetsCount),_.push(y.numSunLights),_.push(y.numDirLights),_.push(y.numPointLights),_.push(y.numSpotLights),_.push(y.numSpotLightMaps),_.push(y.numHemiLights),_.push(y.numRectAreaLights),_.push(y.numSunLightShadows),_.push(y.numDirLightShadows),_.push(y.numPointLightShadows),_.push(y.numSpotLightShadows),_.push(y.numSpotLightShadowsWithMaps),_.push(y.numLightProbes),_.push(y.numLightProbeGrids),_.push(y.shadowMapType),_.push(y.toneMapping),_.push(y.numClippingPlanes),_.push(y.numClipIntersection),_.push(y.depthPacking)}function p(_,y){a.disableAll(),y.instancing&&a.enable(0),y.instancingColor&&a.enable(1),y.instancingMorph&&a.enable(2),y.matcap&&a.enable(3),y.envMap&&a.enable(4),y.normalMapObjectSpace&&a.enable(5),y.normalMapTangentSpace&&a.enable(6),y.clearcoat&&a.enable(7),y.iridescence&&a.enable(8),y.alphaTest&&a.enable(9),y.vertexColors&&a.enable(10),y.vertexAlphas&&a.enable(11),y.vertexUv1s&&a.enable(12),y.vertexUv2s&&a.enable(13),y.vertexUv3s&&a.enable(14),y.vertexTangents&&a.enable(15),y.anisotropy&&a.enable(16),y.alphaHash&&a.enable(17),y.batching&&a.enable(18),y.dispersion&&a.enable(19),y.retroreflection&&a.enable(24),y.diffuseRoughness&&a.enable(25),y.batchingColor&&a.enable(20),y.gradientMap&&a.enable(21),y.packedNormalMap&&a.enable(22),y.vertexNormals&&a.enable(23),_.push(a.mask),a.disableAll(),y.fog&&a.enable(0),y.useFog&&a.enable(1),y.flatShading&&a.enable(2),y.logarithmicDepthBuffer&&a.enable(3),y.reversedDepthBuffer&&a.enable(4),y.skinning&&a.enable(5),y.morphTargets&&a.enable(6),y.morphNormals&&a.enable(7),y.morphColors&&a.enable(8),y.premultipliedAlpha&&a.enable(9),y.shadowMapEnabled&&a.enable(10),y.doubleSided&&a.enable(11),y.flipSided&&a.enable(12),y.useDepthPacking&&a.enable(13),y.dithering&&a.enable(14),y.transmission&&a.enable(15),y.sheen&&a.enable(16),y.opaque&&a.enable(17),y.pointsUvs&&a.enable(18),y.decodeVideoTexture&&a.enable(19),y.decodeVideoTextureEmissive&&a.enable(20),y.alphaToCoverage&&a.enable(21),y.numLightProbeGrids>0&&a.enable(22),y.hasPositionAttribute&&a.enable(23),_.push(a.mask)}function S(_){const y=d[_.type];let P;if(y){const C=fn[y];P=lc.clone(C.uniforms)}else P=_.uniforms;return P}function E(_,y){let P=h.get(y);return P!==void 0?++P.usedTimes:(P=new If(i,y,_,s),c.push(P),h.set(y,P)),P}function x(_){if(--_.usedTimes===0){const y=c.indexOf(_);c[y]=c[c.length-1],c.pop(),h.delete(_.cacheKey),_.destroy()}}function T(_){o.remove(_)}function A(){o.dispose()}return{getParameters:m,getProgramCacheKey:v,getUniforms:S,acquireProgram:E,releaseProgram:x,releaseShaderCache:T,programs:c,dispose:A}}function kf(){let i=new WeakMap;function e(a){return i.has(a)}function t(a){let o=i.get(a);return o===void 0&&(o={},i.set(a,o)),o}function n(a){i.delete(a)}function s(a,o,l){i.get(a)[o]=l}function r(){i=new WeakMap}return{has:e,get:t,remove:n,update:s,dispose:r}}function zf(i,e){return i.groupOrder!==e.groupOrder?i.groupOrder-e.groupOrder:i.renderOrder!==e.renderOrder?i.renderOrder-e.renderOrder:i.material.id!==e.material.id?i.material.id-e.material.id:i.materialVariant!==e.materialVariant?i.materialVariant-e.materialVariant:i.z!==e.z?i.z-e.z:i.id-e.id}function ao(i,e){return i.groupOrder!==e.groupOrder?i.groupOrder-e.groupOrder:i.renderOrder!==e.renderOrder?i.renderOrder-e.renderOrder:i.z!==e.z?e.z-i.z:i.id-e.id}function oo(){const i=[];let e=0;const t=[],n=[],s=[];function r(){e=0,t.length=0,n.length=0,s.length=0}function a(d){let f=0;return d.isInstancedMesh&&(f+=2),d.isSkinnedMesh&&(f+=1),f}function o(d,f,m,v,g,p){let S=i[e];return S===void 0?(S={id:d.id,object:d,geometry:f,material:m,materialVariant:a(d),groupOrder:v,renderOrder:d.renderOrder,z:g,group:p},i[e]=S):(S.id=d.id,S.object=d,S.geometry=f,S.material=m,S.materialVariant=a(d),S.groupOrder=v,S.renderOrder=d.renderOrder,S.z=g,S.group=p),e++,S}function l(d,f,m,v,g,p,S){S.reversedDepth===!0&&(g=-g);const E=o(d,f,m,v,g,p);m.transmission>0?n.push(E):m.transparent===!0?s.push(E):t.push(E)}function c(d,f,m,v,g,p){const S=o(d,f,m,v,g,p);m.transmission>0?n.unshift(S):m.transparent===!0?s.unshift(S):t.unshift(S)}function h(d,f){t.length>1&&t.sort(d||zf),n.length>1&&n.sort(f||ao),s.length>1&&s.sort(f||ao)}function u(){for(let d=e,f=i.length;d<f;d++){const m=i[d];if(m.id===null)break;m.id=null,m.object=null,m.geometry=null,m.material=null,m.group=null}}return{opaque:t,transmissive:n,transparent:s,init:r,push:l,unshift:c,finish:u,sort:h}}function Gf(){let i=new WeakMap;function e(n,s){const r=i.get(n);let a;return r===void 0?(a=new oo,i.set(n,[a])):s>=r.length?(a=new oo,r.push(a)):a=r[s],a}function t(){i=new WeakMap}return{get:e,dispose:t}}function Hf(){const i={};return{get:function(e){if(i[e.id]!==void 0)return i[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={direction:new L,color:new Ie};break;case"SpotLight":t={position:new L,direction:new L,color:new Ie,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":t={position:new L,color:new Ie,distance:0,decay:0};break;case"HemisphereLight":t={direction:new L,skyColor:new Ie,groundColor:new Ie};break;case"RectAreaLight":t={color:new Ie,position:new L,halfWidth:new L,halfHeight:new L};break}return i[e.id]=t,t}}}function Vf(){const i={};return{get:function(e){if(i[e.id]!==void 0)return i[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new qe};break;case"SpotLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new qe};break;case"PointLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new qe,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[e.id]=t,t}}}let Wf=0;function Xf(i,e){return(e.castShadow?2:0)-(i.castShadow?2:0)+(e.map?1:0)-(i.map?1:0)}function qf(i){const e=new Hf,t=Vf(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new L);const s=new L,r=new Ze,a=new Ze;function o(c){let h=0,u=0,d=0;for(let O=0;O<9;O++)n.probe[O].set(0,0,0);let f=0,m=0,v=0,g=0,p=0,S=0,E=0,x=0,T=0,A=0,_=0,y=0,P=0,C=0;c.sort(Xf);for(let O=0,X=c.length;O<X;O++){const I=c[O],z=I.color,Y=I.intensity,B=I.distance;let te=null;if(I.shadow&&I.shadow.map&&(I.shadow.map.texture.format===1030?te=I.shadow.map.texture:te=I.shadow.map.depthTexture||I.shadow.map.texture),I.isAmbientLight)h+=z.r*Y,u+=z.g*Y,d+=z.b*Y;else if(I.isLightProbe){for(let V=0;V<9;V++)n.probe[V].addScaledVector(I.sh.coefficients[V],Y);C++}else if(I.isSunLight){const V=e.get(I);if(V.color.copy(I.color).multiplyScalar(I.intensity),I.castShadow){const Q=I.shadow,ee=t.get(I);ee.shadowIntensity=Q.intensity,ee.shadowBias=Q.bias,ee.shadowNormalBias=Q.normalBias,ee.shadowRadius=Q.radius,ee.shadowMapSize.copy(Q.mapSize).multiply(Q.getFrameExtents()),n.sunShadow[m]=ee,n.sunShadowMap[m]=te;const xe=Q.getViewportCount();for(let Le=0;Le<xe;Le++)n.sunShadowMatrix[v+Le]=Q.getMatrix(Le),n.sunShadowCascade[v+Le]=Q._cascadeData[Le];v+=xe,m++}n.sun[f]=V,f++}else if(I.isDirectionalLight){const V=e.get(I);if(V.color.copy(I.color).multiplyScalar(I.intensity),I.castShadow){const Q=I.shadow,ee=t.get(I);ee.shadowIntensity=Q.intensity,ee.shadowBias=Q.bias,ee.shadowNormalBias=Q.normalBias,ee.shadowRadius=Q.radius,ee.shadowMapSize=Q.mapSize,n.directionalShadow[g]=ee,n.directionalShadowMap[g]=te,n.directionalShadowMatrix[g]=I.shadow.matrix,T++}n.directional[g]=V,g++}else if(I.isSpotLight){const V=e.get(I);V.position.setFromMatrixPosition(I.matrixWorld),V.color.copy(z).multiplyScalar(Y),V.distance=B,V.coneCos=Math.cos(I.angle),V.penumbraCos=Math.cos(I.angle*(1-I.penumbra)),V.decay=I.decay,n.spot[S]=V;const Q=I.shadow;if(I.map&&(n.spotLightMap[y]=I.map,y++,Q.updateMatrices(I),I.castShadow&&P++),n.spotLightMatrix[S]=Q.matrix,I.castShadow){const ee=t.get(I);ee.shadowIntensity=Q.intensity,ee.shadowBias=Q.bias,ee.shadowNormalBias=Q.normalBias,ee.shadowRadius=Q.radius,ee.shadowMapSize=Q.mapSize,n.spotShadow[S]=ee,n.spotShadowMap[S]=te,_++}S++}else if(I.isRectAreaLight){const V=e.get(I);V.color.copy(z).multiplyScalar(Y),V.halfWidth.set(I.width*.5,0,0),V.halfHeight.set(0,I.height*.5,0),n.rectArea[E]=V,E++}else if(I.isPointLight){const V=e.get(I);if(V.color.copy(I.color).multiplyScalar(I.intensity),V.distance=I.distance,V.decay=I.decay,I.castShadow){const Q=I.shadow,ee=t.get(I);ee.shadowIntensity=Q.intensity,ee.shadowBias=Q.bias,ee.shadowNormalBias=Q.normalBias,ee.shadowRadius=Q.radius,ee.shadowMapSize=Q.mapSize,ee.shadowCameraNear=Q.camera.near,ee.shadowCameraFar=Q.camera.far,n.pointShadow[p]=ee,n.pointShadowMap[p]=te,n.pointShadowMatrix[p]=I.shadow.matrix,A++}n.point[p]=V,p++}else if(I.isHemisphereLight){const V=e.get(I);V.skyColor.copy(I.color).multiplyScalar(Y),V.groundColor.copy(I.groundColor).multiplyScalar(Y),n.hemi[x]=V,x++}}E>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=pe.LTC_FLOAT_1,n.rectAreaLTC2=pe.LTC_FLOAT_2):(n.rectAreaLTC1=pe.LTC_HALF_1,n.rectAreaLTC2=pe.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=u,n.ambient[2]=d;const F=n.hash;(F.sunLength!==f||F.directionalLength!==g||F.pointLength!==p||F.spotLength!==S||F.rectAreaLength!==E||F.hemiLength!==x||F.numSunShadows!==m||F.numDirectionalShadows!==T||F.numPointShadows!==A||F.numSpotShadows!==_||F.numSpotMaps!==y||F.numLightProbes!==C)&&(n.sun.length=f,n.directional.length=g,n.spot.length=S,n.rectArea.length=E,n.point.length=p,n.hemi.length=x,n.sunShadow.length=m,n.sunShadowMap.length=m,n.sunShadowMatrix.length=v,n.sunShadowCascade.length=v,n.directionalShadow.length=T,n.directionalShadowMap.length=T,n.directionalShadowMatrix.length=T,n.pointShadow.length=A,n.pointShadowMap.length=A,n.pointShadowMatrix.length=A,n.spotShadow.length=_,n.spotShadowMap.length=_,n.spotLightMatrix.length=_+y-P,n.spotLightMap.length=y,n.numSpotLightShadowsWithMaps=P,n.numLightProbes=C,F.sunLength=f,F.directionalLength=g,F.pointLength=p,F.spotLength=S,F.rectAreaLength=E,F.hemiLength=x,F.numSunShadows=m,F.numDirectionalShadows=T,F.numPointShadows=A,F.numSpotShadows=_,F.numSpotMaps=y,F.numLightProbes=C,n.version=Wf++)}function l(c,h){let u=0,d=0,f=0,m=0,v=0,g=0;const p=h.matrixWorldInverse;for(let S=0,E=c.length;S<E;S++){const x=c[S];if(x.isSunLight){const T=n.sun[u];T.direction.setFromMatrixPosition(x.matrixWorld),T.direction.transformDirection(p),u++}else if(x.isDirectionalLight){const T=n.directional[d];T.direction.setFromMatrixPosition(x.matrixWorld),s.setFromMatrixPosition(x.target.matrixWorld),T.direction.sub(s),T.direction.transformDirection(p),d++}else if(x.isSpotLight){const T=n.spot[m];T.position.setFromMatrixPosition(x.matrixWorld),T.position.applyMatrix4(p),T.direction.setFromMatrixPosition(x.matrixWorld),s.setFromMatrixPosition(x.target.matrixWorld),T.direction.sub(s),T.direction.transformDirection(p),m++}else if(x.isRectAreaLight){const T=n.rectArea[v];T.position.setFromMatrixPosition(x.matrixWorld),T.position.applyMatrix4(p),a.identity(),r.copy(x.matrixWorld),r.premultiply(p),a.extractRotation(r),T.halfWidth.set(x.width*.5,0,0),T.halfHeight.set(0,x.height*.5,0),T.halfWidth.applyMatrix4(a),T.halfHeight.applyMatrix4(a),v++}else if(x.isPointLight){const T=n.point[f];T.position.setFromMatrixPosition(x.matrixWorld),T.position.applyMatrix4(p),f++}else if(x.isHemisphereLight){const T=n.hemi[g];T.direction.setFromMatrixPosition(x.matrixWorld),T.direction.transformDirection(p),g++}}}return{setup:o,setupView:l,state:n}}function lo(i){const e=new qf(i),t=[],n=[],s=[];function r(u){h.camera=u,t.length=0,n.length=0,s.length=0}function a(u){u.isLightProbeGrid?s.push(u):t.push(u)}function o(u){n.push(u)}function l(){e.setup(t),s.sort((u,d)=>u.priority-d.priority||u.id-d.id)}function c(u){e.setupView(t,u)}const h={lightsArray:t,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:e,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:a,pushShadow:o}}function $f(i){let e=new WeakMap;function t(s,r=0){const a=e.get(s);let o;return a===void 0?(o=new lo(i),e.set(s,[o])):r>=a.length?(o=new lo(i),a.push(o)):o=a[r],o}function n(){e=new WeakMap}return{get:t,dispose:n}}const Yf=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,Zf=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,jf=[new L(1,0,0),new L(-1,0,0),new L(0,1,0),new L(0,-1,0),new L(0,0,1),new L(0,0,-1)],Kf=[new L(0,-1,0),new L(0,-1,0),new L(0,0,1),new L(0,0,-1),new L(0,-1,0),new L(0,-1,0)],co=new Ze,Pi=new L,Ar=new L;function Jf(i,e,t){let n=new Ws;const s=new qe,r=new qe,a=new pt,o=new uc,l=new dc,c={},h=t.maxTextureSize,u={0:1,1:0,2:2},d=new Tn({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new qe},radius:{value:4}},vertexShader:Yf,fragmentShader:Zf}),f=d.clone();f.defines.HORIZONTAL_PASS=1;const m=new mt;m.setAttribute("position",new Ut(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));const v=new ve(m,d),g=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=1;let p=this.type;this.render=function(A,_,y){if(g.enabled===!1||g.autoUpdate===!1&&g.needsUpdate===!1||A.length===0)return;this.type===2&&(Pe("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=1);const P=i.getRenderTarget(),C=i.getActiveCubeFace(),F=i.getActiveMipmapLevel(),O=i.state;O.setBlending(0),O.buffers.depth.getReversed()===!0?O.buffers.color.setClear(0,0,0,0):O.buffers.color.setClear(1,1,1,1),O.buffers.depth.setTest(!0),O.setScissorTest(!1);const X=p!==this.type;X&&_.traverse(function(I){I.material&&(Array.isArray(I.material)?I.material.forEach(z=>z.needsUpdate=!0):I.material.needsUpdate=!0)});for(let I=0,z=A.length;I<z;I++){const Y=A[I],B=Y.shadow;if(B===void 0){Pe("WebGLShadowMap:",Y,"has no shadow.");continue}if(B.autoUpdate===!1&&B.needsUpdate===!1)continue;s.copy(B.mapSize);const te=B.getFrameExtents();s.multiply(te),r.copy(B.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/te.x),s.x=r.x*te.x,B.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/te.y),s.y=r.y*te.y,B.mapSize.y=r.y));const V=i.state.buffers.depth.getReversed();if(B.camera._reversedDepth=V,B.map===null||X===!0){if(B.map!==null&&(B.map.depthTexture!==null&&(B.map.depthTexture.dispose(),B.map.depthTexture=null),B.map.dispose()),this.type===3){if(Y.isPointLight){Pe("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}B.map=new pn(s.x,s.y,{format:1030,type:1016,minFilter:1006,magFilter:1006,generateMipmaps:!1}),B.map.texture.name=Y.name+".shadowMap",B.map.depthTexture=new gi(s.x,s.y,1015),B.map.depthTexture.name=Y.name+".shadowMapDepth",B.map.depthTexture.format=1026,B.map.depthTexture.compareFunction=null,B.map.depthTexture.minFilter=1003,B.map.depthTexture.magFilter=1003}else Y.isPointLight?(B.map=new Jr(s.x),B.map.depthTexture=new Xo(s.x,1014)):(B.map=new pn(s.x,s.y),B.map.depthTexture=new gi(s.x,s.y,1014)),B.map.depthTexture.name=Y.name+".shadowMap",B.map.depthTexture.format=1026,this.type===1?(B.map.depthTexture.compareFunction=V?518:515,B.map.depthTexture.minFilter=1006,B.map.depthTexture.magFilter=1006):(B.map.depthTexture.compareFunction=null,B.map.depthTexture.minFilter=1003,B.map.depthTexture.magFilter=1003);B.camera.updateProjectionMatrix()}B.map.isWebGLCubeRenderTarget!==!0&&(B.map.width!==s.x||B.map.height!==s.y)&&B.map.setSize(s.x,s.y);const Q=B.map.isWebGLCubeRenderTarget?6:B.getViewportCount();Y.isPointLight!==!0&&B.updateMatrices(Y,y);const ee=(B.camera.layers.mask&4294967294)!==0?B.camera.layers:y.layers;for(let xe=0;xe<Q;xe++){const Le=B.getCamera(xe);if(Y.isPointLight){const Z=B.camera,me=B.matrix,Me=Y.distance||Z.far;Me!==Z.far&&(Z.far=Me,Z.updateProjectionMatrix()),Pi.setFromMatrixPosition(Y.matrixWorld),Z.position.copy(Pi),Ar.copy(Z.position),Ar.add(jf[xe]),Z.up.copy(Kf[xe]),Z.lookAt(Ar),Z.updateMatrixWorld(),me.makeTranslation(-Pi.x,-Pi.y,-Pi.z),co.multiplyMatrices(Z.projectionMatrix,Z.matrixWorldInverse),B._frustum.setFromProjectionMatrix(co,Z.coordinateSystem,Z.reversedDepth)}if(B.map.isWebGLCubeRenderTarget)i.setRenderTarget(B.map,xe),i.clear();else{xe===0&&(i.setRenderTarget(B.map),i.clear());const Z=B.getViewport(xe);a.set(r.x*Z.x,r.y*Z.y,r.x*Z.z,r.y*Z.w),O.viewport(a)}n=B.getFrustum(xe),x(_,y,Le,Y,ee,this.type)}B.isPointLightShadow!==!0&&this.type===3&&S(B,y),B.needsUpdate=!1}p=this.type,g.needsUpdate=!1,i.setRenderTarget(P,C,F)};function S(A,_){const y=e.update(v);d.defines.VSM_SAMPLES!==A.blurSamples&&(d.defines.VSM_SAMPLES=A.blurSamples,f.defines.VSM_SAMPLES=A.blurSamples,d.needsUpdate=!0,f.needsUpdate=!0),A.mapPass===null?A.mapPass=new pn(s.x,s.y,{format:1030,type:1016}):(A.mapPass.width!==A.map.width||A.mapPass.height!==A.map.height)&&A.mapPass.setSize(A.map.width,A.map.height),d.uniforms.shadow_pass.value=A.map.depthTexture,d.uniforms.resolution.value.set(A.map.width,A.map.height),d.uniforms.radius.value=A.radius,i.setRenderTarget(A.mapPass),i.clear(),i.renderBufferDirect(_,null,y,d,v,null),f.uniforms.shadow_pass.value=A.mapPass.texture,f.uniforms.resolution.value.set(A.map.width,A.map.height),f.uniforms.radius.value=A.radius,i.setRenderTarget(A.map),i.clear(),i.renderBufferDirect(_,null,y,f,v,null)}function E(A,_,y,P){let C=null;const F=y.isPointLight===!0?A.customDistanceMaterial:A.customDepthMaterial;if(F!==void 0)C=F;else if(C=y.isPointLight===!0?l:o,i.localClippingEnabled&&_.clipShadows===!0&&Array.isArray(_.clippingPlanes)&&_.clippingPlanes.length!==0||_.displacementMap&&_.displacementScale!==0||_.alphaMap&&_.alphaTest>0||_.map&&_.alphaTest>0||_.alphaToCoverage===!0){const O=C.uuid,X=_.uuid;let I=c[O];I===void 0&&(I={},c[O]=I);let z=I[X];z===void 0&&(z=C.clone(),I[X]=z,_.addEventListener("dispose",T)),C=z}if(C.visible=_.visible,C.wireframe=_.wireframe,P===3?C.side=_.shadowSide!==null?_.shadowSide:_.side:C.side=_.shadowSide!==null?_.shadowSide:u[_.side],C.alphaMap=_.alphaMap,C.alphaTest=_.alphaToCoverage===!0?.5:_.alphaTest,C.map=_.map,C.clipShadows=_.clipShadows,C.clippingPlanes=_.clippingPlanes,C.clipIntersection=_.clipIntersection,C.displacementMap=_.displacementMap,C.displacementScale=_.displacementScale,C.displacementBias=_.displacementBias,C.wireframeLinewidth=_.wireframeLinewidth,C.linewidth=_.linewidth,y.isPointLight===!0&&C.isMeshDistanceMaterial===!0){const O=i.properties.get(C);O.light=y}return C}function x(A,_,y,P,C,F){if(A.visible===!1)return;if(A.layers.test(C)&&(A.isMesh||A.isLine||A.isPoints)&&(A.castShadow||A.receiveShadow&&F===3)&&(!A.frustumCulled||A.intersectsFrustum(n))){A.modelViewMatrix.multiplyMatrices(y.matrixWorldInverse,A.matrixWorld);const I=e.update(A),z=A.material;if(Array.isArray(z)){const Y=I.groups;for(let B=0,te=Y.length;B<te;B++){const V=Y[B],Q=z[V.materialIndex];if(Q&&Q.visible){const ee=E(A,Q,P,F);A.onBeforeShadow(i,A,_,y,I,ee,V),i.renderBufferDirect(y,null,I,ee,A,V),A.onAfterShadow(i,A,_,y,I,ee,V)}}}else if(z.visible){const Y=E(A,z,P,F);A.onBeforeShadow(i,A,_,y,I,Y,null),i.renderBufferDirect(y,null,I,Y,A,null),A.onAfterShadow(i,A,_,y,I,Y,null)}}const X=A.children;for(let I=0,z=X.length;I<z;I++)x(X[I],_,y,P,C,F)}function T(A){A.target.removeEventListener("dispose",T);for(const y in c){const P=c[y],C=A.target.uuid;C in P&&(P[C].dispose(),delete P[C])}}}function Qf(i,e){function t(){let D=!1;const K=new pt;let q=null;const le=new pt(0,0,0,0);return{setMask:function(se){q!==se&&!D&&(i.colorMask(se,se,se,se),q=se)},setLocked:function(se){D=se},setClear:function(se,ae,Ee,ke,ie){ie===!0&&(se*=ke,ae*=ke,Ee*=ke),K.set(se,ae,Ee,ke),le.equals(K)===!1&&(i.clearColor(se,ae,Ee,ke),le.copy(K))},reset:function(){D=!1,q=null,le.set(-1,0,0,0)}}}function n(){let D=!1,K=!1,q=null,le=null,se=null;return{setReversed:function(ae){if(K!==ae){const Ee=e.get("EXT_clip_control");ae?Ee.clipControlEXT(Ee.LOWER_LEFT_EXT,Ee.ZERO_TO_ONE_EXT):Ee.clipControlEXT(Ee.LOWER_LEFT_EXT,Ee.NEGATIVE_ONE_TO_ONE_EXT),K=ae;const ke=se;se=null,this.setClear(ke)}},getReversed:function(){return K},setTest:function(ae){ae?ge(i.DEPTH_TEST):Fe(i.DEPTH_TEST)},setMask:function(ae){q!==ae&&!D&&(i.depthMask(ae),q=ae)},setFunc:function(ae){if(K&&(ae=Pl[ae]),le!==ae){switch(ae){case 0:i.depthFunc(i.NEVER);break;case 1:i.depthFunc(i.ALWAYS);break;case 2:i.depthFunc(i.LESS);break;case 3:i.depthFunc(i.LEQUAL);break;case 4:i.depthFunc(i.EQUAL);break;case 5:i.depthFunc(i.GEQUAL);break;case 6:i.depthFunc(i.GREATER);break;case 7:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}le=ae}},setLocked:function(ae){D=ae},setClear:function(ae){se!==ae&&(se=ae,K&&(ae=1-ae),i.clearDepth(ae))},reset:function(){D=!1,q=null,le=null,se=null,K=!1}}}function s(){let D=!1,K=null,q=null,le=null,se=null,ae=null,Ee=null,ke=null,ie=null;return{setTest:function(Te){D||(Te?ge(i.STENCIL_TEST):Fe(i.STENCIL_TEST))},setMask:function(Te){K!==Te&&!D&&(i.stencilMask(Te),K=Te)},setFunc:function(Te,Be,fe){(q!==Te||le!==Be||se!==fe)&&(i.stencilFunc(Te,Be,fe),q=Te,le=Be,se=fe)},setOp:function(Te,Be,fe){(ae!==Te||Ee!==Be||ke!==fe)&&(i.stencilOp(Te,Be,fe),ae=Te,Ee=Be,ke=fe)},setLocked:function(Te){D=Te},setClear:function(Te){ie!==Te&&(i.clearStencil(Te),ie=Te)},reset:function(){D=!1,K=null,q=null,le=null,se=null,ae=null,Ee=null,ke=null,ie=null}}}const r=new t,a=new n,o=new s;let l={};const c=new WeakMap;let h={},u={},d={},f=new WeakMap,m=[],v=null,g=!1,p=null,S=null,E=null,x=null,T=null,A=null,_=null,y=new Ie(0,0,0),P=0,C=!1,F=null,O=null,X=null,I=null,z=null;const Y=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS);let B=!1,te=0;const V=i.getParameter(i.VERSION);V.indexOf("WebGL")!==-1?(te=parseFloat(/^WebGL (\d)/.exec(V)[1]),B=te>=1):V.indexOf("OpenGL ES")!==-1&&(te=parseFloat(/^OpenGL ES (\d)/.exec(V)[1]),B=te>=2);let Q=null,ee={};const xe=i.getParameter(i.SCISSOR_BOX),Le=i.getParameter(i.VIEWPORT),Z=new pt().fromArray(xe),me=new pt().fromArray(Le);function Me(D,K,q,le){const se=new Uint8Array(4),ae=i.createTexture();i.bindTexture(D,ae),i.texParameteri(D,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(D,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Ee=0;Ee<q;Ee++)D===i.TEXTURE_3D||D===i.TEXTURE_2D_ARRAY?i.texImage3D(K,0,i.RGBA,1,1,le,0,i.RGBA,i.UNSIGNED_BYTE,se):i.texImage2D(K+Ee,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,se);return ae}const Ae={};Ae[i.TEXTURE_2D]=Me(i.TEXTURE_2D,i.TEXTURE_2D,1),Ae[i.TEXTURE_CUBE_MAP]=Me(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Ae[i.TEXTURE_2D_ARRAY]=Me(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Ae[i.TEXTURE_3D]=Me(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),a.setClear(1),o.setClear(0),ge(i.DEPTH_TEST),a.setFunc(3),zt(!1),ht(1),ge(i.CULL_FACE),Ct(0);function ge(D){h[D]!==!0&&(i.enable(D),h[D]=!0)}function Fe(D){h[D]!==!1&&(i.disable(D),h[D]=!1)}function gt(D,K){return d[D]!==K?(i.bindFramebuffer(D,K),d[D]=K,D===i.DRAW_FRAMEBUFFER&&(d[i.FRAMEBUFFER]=K),D===i.FRAMEBUFFER&&(d[i.DRAW_FRAMEBUFFER]=K),!0):!1}function Ce(D,K){let q=m,le=!1;if(D){q=f.get(K),q===void 0&&(q=[],f.set(K,q));const se=D.textures;if(q.length!==se.length||q[0]!==i.COLOR_ATTACHMENT0){for(let ae=0,Ee=se.length;ae<Ee;ae++)q[ae]=i.COLOR_ATTACHMENT0+ae;q.length=se.length,le=!0}}else q[0]!==i.BACK&&(q[0]=i.BACK,le=!0);le&&i.drawBuffers(q)}function Je(D){return v!==D?(i.useProgram(D),v=D,!0):!1}const nt={100:i.FUNC_ADD,101:i.FUNC_SUBTRACT,102:i.FUNC_REVERSE_SUBTRACT};nt[103]=i.MIN,nt[104]=i.MAX;const Ge={200:i.ZERO,201:i.ONE,202:i.SRC_COLOR,204:i.SRC_ALPHA,210:i.SRC_ALPHA_SATURATE,208:i.DST_COLOR,206:i.DST_ALPHA,203:i.ONE_MINUS_SRC_COLOR,205:i.ONE_MINUS_SRC_ALPHA,209:i.ONE_MINUS_DST_COLOR,207:i.ONE_MINUS_DST_ALPHA,211:i.CONSTANT_COLOR,212:i.ONE_MINUS_CONSTANT_COLOR,213:i.CONSTANT_ALPHA,214:i.ONE_MINUS_CONSTANT_ALPHA};function Ct(D,K,q,le,se,ae,Ee,ke,ie,Te){if(D===0){g===!0&&(Fe(i.BLEND),g=!1);return}if(g===!1&&(ge(i.BLEND),g=!0),D!==5){if(D!==p||Te!==C){if((S!==100||T!==100)&&(i.blendEquation(i.FUNC_ADD),S=100,T=100),Te)switch(D){case 1:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case 2:i.blendFunc(i.ONE,i.ONE);break;case 3:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case 4:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:je("WebGLState: Invalid blending: ",D);break}else switch(D){case 1:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case 2:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case 3:je("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case 4:je("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:je("WebGLState: Invalid blending: ",D);break}E=null,x=null,A=null,_=null,y.set(0,0,0),P=0,p=D,C=Te}return}se=se||K,ae=ae||q,Ee=Ee||le,(K!==S||se!==T)&&(i.blendEquationSeparate(nt[K],nt[se]),S=K,T=se),(q!==E||le!==x||ae!==A||Ee!==_)&&(i.blendFuncSeparate(Ge[q],Ge[le],Ge[ae],Ge[Ee]),E=q,x=le,A=ae,_=Ee),(ke.equals(y)===!1||ie!==P)&&(i.blendColor(ke.r,ke.g,ke.b,ie),y.copy(ke),P=ie),p=D,C=!1}function xt(D,K){D.side===2?Fe(i.CULL_FACE):ge(i.CULL_FACE);let q=D.side===1;K&&(q=!q),zt(q),D.blending===1&&D.transparent===!1?Ct(0):Ct(D.blending,D.blendEquation,D.blendSrc,D.blendDst,D.blendEquationAlpha,D.blendSrcAlpha,D.blendDstAlpha,D.blendColor,D.blendAlpha,D.premultipliedAlpha),a.setFunc(D.depthFunc),a.setTest(D.depthTest),a.setMask(D.depthWrite),r.setMask(D.colorWrite);const le=D.stencilWrite;o.setTest(le),le&&(o.setMask(D.stencilWriteMask),o.setFunc(D.stencilFunc,D.stencilRef,D.stencilFuncMask),o.setOp(D.stencilFail,D.stencilZFail,D.stencilZPass)),Et(D.polygonOffset,D.polygonOffsetFactor,D.polygonOffsetUnits),D.alphaToCoverage===!0?ge(i.SAMPLE_ALPHA_TO_COVERAGE):Fe(i.SAMPLE_ALPHA_TO_COVERAGE)}function zt(D){F!==D&&(D?i.frontFace(i.CW):i.frontFace(i.CCW),F=D)}function ht(D){D!==0?(ge(i.CULL_FACE),D!==O&&(D===1?i.cullFace(i.BACK):D===2?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Fe(i.CULL_FACE),O=D}function ln(D){D!==X&&(B&&i.lineWidth(D),X=D)}function Et(D,K,q){D?(ge(i.POLYGON_OFFSET_FILL),(I!==K||z!==q)&&(I=K,z=q,a.getReversed()&&(K=-K,q=-q),i.polygonOffset(K,q))):Fe(i.POLYGON_OFFSET_FILL)}function $t(D){D?ge(i.SCISSOR_TEST):Fe(i.SCISSOR_TEST)}function Yt(D){D===void 0&&(D=i.TEXTURE0+Y-1),Q!==D&&(i.activeTexture(D),Q=D)}function Zt(D,K,q){q===void 0&&(Q===null?q=i.TEXTURE0+Y-1:q=Q);let le=ee[q];le===void 0&&(le={type:void 0,texture:void 0},ee[q]=le),(le.type!==D||le.texture!==K)&&(Q!==q&&(i.activeTexture(q),Q=q),i.bindTexture(D,K||Ae[D]),le.type=D,le.texture=K)}function U(){const D=ee[Q];D!==void 0&&D.type!==void 0&&(i.bindTexture(D.type,null),D.type=void 0,D.texture=void 0)}function jt(){try{i.compressedTexImage2D(...arguments)}catch(D){je("WebGLState:",D)}}function ot(){try{i.compressedTexImage3D(...arguments)}catch(D){je("WebGLState:",D)}}function lt(){try{i.texSubImage2D(...arguments)}catch(D){je("WebGLState:",D)}}function de(){try{i.texSubImage3D(...arguments)}catch(D){je("WebGLState:",D)}}function St(){try{i.compressedTexSubImage2D(...arguments)}catch(D){je("WebGLState:",D)}}function Re(){try{i.compressedTexSubImage3D(...arguments)}catch(D){je("WebGLState:",D)}}function De(){try{i.texStorage2D(...arguments)}catch(D){je("WebGLState:",D)}}function R(){try{i.texStorage3D(...arguments)}catch(D){je("WebGLState:",D)}}function b(){try{i.texImage2D(...arguments)}catch(D){je("WebGLState:",D)}}function G(){try{i.texImage3D(...arguments)}catch(D){je("WebGLState:",D)}}function ne(D){return u[D]!==void 0?u[D]:i.getParameter(D)}function J(D,K){u[D]!==K&&(i.pixelStorei(D,K),u[D]=K)}function re(D){Z.equals(D)===!1&&(i.scissor(D.x,D.y,D.z,D.w),Z.copy(D))}function he(D){me.equals(D)===!1&&(i.viewport(D.x,D.y,D.z,D.w),me.copy(D))}function $(D,K){let q=c.get(K);q===void 0&&(q=new WeakMap,c.set(K,q));let le=q.get(D);le===void 0&&(le=i.getUniformBlockIndex(K,D.name),i.uniformBlockBinding(K,le,le),q.set(D,le))}function j(D,K,q){const se=c.get(K).get(D);l[se]!==q&&(i.bindBufferBase(i.UNIFORM_BUFFER,se,q),l[se]=q)}function oe(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),a.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),h={},u={},Q=null,ee={},d={},l={},f=new WeakMap,m=[],v=null,g=!1,p=null,S=null,E=null,x=null,T=null,A=null,_=null,y=new Ie(0,0,0),P=0,C=!1,F=null,O=null,X=null,I=null,z=null,Z.set(0,0,i.canvas.width,i.canvas.height),me.set(0,0,i.canvas.width,i.canvas.height),r.reset(),a.reset(),o.reset()}return{buffers:{color:r,depth:a,stencil:o},enable:ge,disable:Fe,bindFramebuffer:gt,drawBuffers:Ce,useProgram:Je,setBlending:Ct,setMaterial:xt,setFlipSided:zt,setCullFace:ht,setLineWidth:ln,setPolygonOffset:Et,setScissorTest:$t,activeTexture:Yt,bindTexture:Zt,unbindTexture:U,compressedTexImage2D:jt,compressedTexImage3D:ot,texImage2D:b,texImage3D:G,pixelStorei:J,getParameter:ne,updateUBOMapping:$,uniformBlockBinding:j,texStorage2D:De,texStorage3D:R,texSubImage2D:lt,texSubImage3D:de,compressedTexSubImage2D:St,compressedTexSubImage3D:Re,scissor:re,viewport:he,reset:oe}}function ep(i,e,t,n,s,r,a){const o=e.has("WEBGL_multisampled_render_to_texture")?e.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new qe,h=new WeakMap,u=new Set;let d;const f=new WeakMap,m=new Set,v=new FinalizationRegistry(R=>m.delete(R));let g=!1;try{g=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function p(R,b){return g?new OffscreenCanvas(R,b):Vs("canvas")}function S(R,b,G){let ne=1;const J=De(R);if((J.width>G||J.height>G)&&(ne=G/Math.max(J.width,J.height)),ne<1)if(typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&R instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&R instanceof ImageBitmap||typeof VideoFrame<"u"&&R instanceof VideoFrame){const re=Math.floor(ne*J.width),he=Math.floor(ne*J.height);d===void 0&&(d=p(re,he));const $=b?p(re,he):d;return $.width=re,$.height=he,$.getContext("2d").drawImage(R,0,0,re,he),Pe("WebGLRenderer: Texture has been resized from ("+J.width+"x"+J.height+") to ("+re+"x"+he+")."),$}else return"data"in R&&Pe("WebGLRenderer: Image in DataTexture is too big ("+J.width+"x"+J.height+")."),R;return R}function E(R){return R.generateMipmaps}function x(R){i.generateMipmap(R)}function T(R){return R.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:R.isWebGL3DRenderTarget?i.TEXTURE_3D:R.isWebGLArrayRenderTarget||R.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function A(R,b,G,ne,J,re=!1){if(R!==null){if(i[R]!==void 0)return i[R];Pe("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+R+"'")}let he;ne&&(he=e.get("EXT_texture_norm16"),he||Pe("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let $=b;if(b===i.RED&&(G===i.FLOAT&&($=i.R32F),G===i.HALF_FLOAT&&($=i.R16F),G===i.UNSIGNED_BYTE&&($=i.R8),G===i.UNSIGNED_SHORT&&he&&($=he.R16_EXT),G===i.SHORT&&he&&($=he.R16_SNORM_EXT)),b===i.RED_INTEGER&&(G===i.UNSIGNED_BYTE&&($=i.R8UI),G===i.UNSIGNED_SHORT&&($=i.R16UI),G===i.UNSIGNED_INT&&($=i.R32UI),G===i.BYTE&&($=i.R8I),G===i.SHORT&&($=i.R16I),G===i.INT&&($=i.R32I)),b===i.RG&&(G===i.FLOAT&&($=i.RG32F),G===i.HALF_FLOAT&&($=i.RG16F),G===i.UNSIGNED_BYTE&&($=i.RG8),G===i.UNSIGNED_SHORT&&he&&($=he.RG16_EXT),G===i.SHORT&&he&&($=he.RG16_SNORM_EXT)),b===i.RG_INTEGER&&(G===i.UNSIGNED_BYTE&&($=i.RG8UI),G===i.UNSIGNED_SHORT&&($=i.RG16UI),G===i.UNSIGNED_INT&&($=i.RG32UI),G===i.BYTE&&($=i.RG8I),G===i.SHORT&&($=i.RG16I),G===i.INT&&($=i.RG32I)),b===i.RGB_INTEGER&&(G===i.UNSIGNED_BYTE&&($=i.RGB8UI),G===i.UNSIGNED_SHORT&&($=i.RGB16UI),G===i.UNSIGNED_INT&&($=i.RGB32UI),G===i.BYTE&&($=i.RGB8I),G===i.SHORT&&($=i.RGB16I),G===i.INT&&($=i.RGB32I)),b===i.RGBA_INTEGER&&(G===i.UNSIGNED_BYTE&&($=i.RGBA8UI),G===i.UNSIGNED_SHORT&&($=i.RGBA16UI),G===i.UNSIGNED_INT&&($=i.RGBA32UI),G===i.BYTE&&($=i.RGBA8I),G===i.SHORT&&($=i.RGBA16I),G===i.INT&&($=i.RGBA32I)),b===i.RGB&&(G===i.UNSIGNED_SHORT&&he&&($=he.RGB16_EXT),G===i.SHORT&&he&&($=he.RGB16_SNORM_EXT),G===i.UNSIGNED_INT_5_9_9_9_REV&&($=i.RGB9_E5),G===i.UNSIGNED_INT_10F_11F_11F_REV&&($=i.R11F_G11F_B10F)),b===i.RGBA){const j=re?Gs:We.getTransfer(J);G===i.FLOAT&&($=i.RGBA32F),G===i.HALF_FLOAT&&($=i.RGBA16F),G===i.UNSIGNED_BYTE&&($=j===et?i.SRGB8_ALPHA8:i.RGBA8),G===i.UNSIGNED_SHORT&&he&&($=he.RGBA16_EXT),G===i.SHORT&&he&&($=he.RGBA16_SNORM_EXT),G===i.UNSIGNED_SHORT_4_4_4_4&&($=i.RGBA4),G===i.UNSIGNED_SHORT_5_5_5_1&&($=i.RGB5_A1)}return($===i.R16F||$===i.R32F||$===i.RG16F||$===i.RG32F||$===i.RGBA16F||$===i.RGBA32F)&&e.get("EXT_color_buffer_float"),$}function _(R,b){let G;return R?b===null||b===1014||b===1020?G=i.DEPTH24_STENCIL8:b===1015?G=i.DEPTH32F_STENCIL8:b===1012&&(G=i.DEPTH24_STENCIL8,Pe("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):b===null||b===1014||b===1020?G=i.DEPTH_COMPONENT24:b===1015?G=i.DEPTH_COMPONENT32F:b===1012&&(G=i.DEPTH_COMPONENT16),G}function y(R,b){return E(R)===!0||R.isFramebufferTexture&&R.minFilter!==1003&&R.minFilter!==1006?Math.log2(Math.max(b.width,b.height))+1:R.mipmaps.length>0?R.mipmaps.length:R.isCompressedTexture&&Array.isArray(R.image)?b.mipmaps.length:1}function P(R){const b=new WeakRef(R);n.get(R).__ref=b,m.add(b),v.register(R,b,b)}function C(R){const b=n.get(R).__ref;b!==void 0&&(m.delete(b),v.unregister(b))}function F(R){X(R.target)}function O(R){I(R.target)}function X(R){R.removeEventListener("dispose",F),C(R),Y(R),R.isVideoTexture&&h.delete(R),R.isHTMLTexture&&u.delete(R)}function I(R){R.removeEventListener("dispose",O),C(R),te(R)}function z(){for(const R of m){const b=R.deref();b!==void 0&&(b.isRenderTarget===!0?I(b):X(b))}m.clear(),u.clear()}function Y(R){const b=n.get(R);if(b.__webglInit===void 0)return;const G=R.source,ne=f.get(G);if(ne){const J=ne[b.__cacheKey];J.usedTimes--,J.usedTimes===0&&B(R),Object.keys(ne).length===0&&f.delete(G)}n.remove(R)}function B(R){const b=n.get(R);i.deleteTexture(b.__webglTexture);const G=R.source,ne=f.get(G);delete ne[b.__cacheKey],a.memory.textures--}function te(R){const b=n.get(R);b.__depthDisposeCallback&&b.__depthDisposeCallback();const G=R.depthTexture;if(G&&G.renderTarget===R&&X(G),R.isWebGLCubeRenderTarget)for(let J=0;J<6;J++){if(Array.isArray(b.__webglFramebuffer[J]))for(let re=0;re<b.__webglFramebuffer[J].length;re++)i.deleteFramebuffer(b.__webglFramebuffer[J][re]);else i.deleteFramebuffer(b.__webglFramebuffer[J]);b.__webglDepthbuffer&&i.deleteRenderbuffer(b.__webglDepthbuffer[J])}else{if(Array.isArray(b.__webglFramebuffer))for(let J=0;J<b.__webglFramebuffer.length;J++)i.deleteFramebuffer(b.__webglFramebuffer[J]);else i.deleteFramebuffer(b.__webglFramebuffer);if(b.__webglDepthbuffer&&i.deleteRenderbuffer(b.__webglDepthbuffer),b.__webglMultisampledFramebuffer&&i.deleteFramebuffer(b.__webglMultisampledFramebuffer),b.__webglColorRenderbuffer)for(let J=0;J<b.__webglColorRenderbuffer.length;J++)b.__webglColorRenderbuffer[J]&&i.deleteRenderbuffer(b.__webglColorRenderbuffer[J]);b.__webglDepthRenderbuffer&&i.deleteRenderbuffer(b.__webglDepthRenderbuffer)}const ne=R.textures;for(let J=0,re=ne.length;J<re;J++){const he=n.get(ne[J]);he.__webglTexture&&(i.deleteTexture(he.__webglTexture),a.memory.textures--),n.remove(ne[J])}n.remove(R)}let V=0;function Q(){V=0}function ee(){return V}function xe(R){V=R}function Le(){const R=V;return R>=s.maxTextures&&Pe("WebGLTextures: Trying to use "+(R+1)+" texture units while this GPU supports only "+s.maxTextures),V+=1,R}function Z(R){const b=[];return b.push(R.wrapS),b.push(R.wrapT),b.push(R.wrapR||0),b.push(R.magFilter),b.push(R.minFilter),b.push(R.anisotropy),b.push(R.internalFormat),b.push(R.format),b.push(R.type),b.push(R.generateMipmaps),b.push(R.mipmapsAutoUpdate),b.push(R.premultiplyAlpha),b.push(R.flipY),b.push(R.unpackAlignment),b.push(R.colorSpace),b.join()}function me(R,b){const G=n.get(R);if(R.isVideoTexture&&St(R),R.isRenderTargetTexture===!1&&R.isExternalTexture!==!0&&R.version>0&&G.__version!==R.version){const ne=R.image;if(ne===null)Pe("WebGLRenderer: Texture marked for update but no image data found.");else if(ne.complete===!1)Pe("WebGLRenderer: Texture marked for update but image is incomplete");else{xt(G,R,b);return}}else R.isExternalTexture&&(G.__webglTexture=R.sourceTexture?R.sourceTexture:null);t.bindTexture(i.TEXTURE_2D,G.__webglTexture,i.TEXTURE0+b)}function Me(R,b){const G=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&G.__version!==R.version){xt(G,R,b);return}else R.isExternalTexture&&(G.__webglTexture=R.sourceTexture?R.sourceTexture:null);t.bindTexture(i.TEXTURE_2D_ARRAY,G.__webglTexture,i.TEXTURE0+b)}function Ae(R,b){const G=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&G.__version!==R.version){xt(G,R,b);return}t.bindTexture(i.TEXTURE_3D,G.__webglTexture,i.TEXTURE0+b)}function ge(R,b){const G=n.get(R);if(R.version>0&&G.__version!==R.version){zt(G,R,b);return}t.bindTexture(i.TEXTURE_CUBE_MAP,G.__webglTexture,i.TEXTURE0+b)}const Fe={1e3:i.REPEAT,1001:i.CLAMP_TO_EDGE,1002:i.MIRRORED_REPEAT},gt={1003:i.NEAREST,1004:i.NEAREST_MIPMAP_NEAREST,1005:i.NEAREST_MIPMAP_LINEAR,1006:i.LINEAR,1007:i.LINEAR_MIPMAP_NEAREST,1008:i.LINEAR_MIPMAP_LINEAR},Ce={512:i.NEVER,519:i.ALWAYS,513:i.LESS,515:i.LEQUAL,514:i.EQUAL,518:i.GEQUAL,516:i.GREATER,517:i.NOTEQUAL};function Je(R,b){if(b.type===1015&&e.has("OES_texture_float_linear")===!1&&(b.magFilter===1006||b.magFilter===1007||b.magFilter===1005||b.magFilter===1008||b.minFilter===1006||b.minFilter===1007||b.minFilter===1005||b.minFilter===1008)&&Pe("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(R,i.TEXTURE_WRAP_S,Fe[b.wrapS]),i.texParameteri(R,i.TEXTURE_WRAP_T,Fe[b.wrapT]),(R===i.TEXTURE_3D||R===i.TEXTURE_2D_ARRAY)&&i.texParameteri(R,i.TEXTURE_WRAP_R,Fe[b.wrapR]),i.texParameteri(R,i.TEXTURE_MAG_FILTER,gt[b.magFilter]),i.texParameteri(R,i.TEXTURE_MIN_FILTER,gt[b.minFilter]),b.compareFunction&&(i.texParameteri(R,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(R,i.TEXTURE_COMPARE_FUNC,Ce[b.compareFunction])),e.has("EXT_texture_filter_anisotropic")===!0){if(b.magFilter===1003||b.minFilter!==1005&&b.minFilter!==1008||b.type===1015&&e.has("OES_texture_float_linear")===!1)return;if(b.anisotropy>1||n.get(b).__currentAnisotropy){const G=e.get("EXT_texture_filter_anisotropic");i.texParameterf(R,G.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(b.anisotropy,s.getMaxAnisotropy())),n.get(b).__currentAnisotropy=b.anisotropy}}}function nt(R,b){let G=!1;R.__webglInit===void 0&&(R.__webglInit=!0,b.addEventListener("dispose",F),P(b));const ne=b.source;let J=f.get(ne);J===void 0&&(J={},f.set(ne,J));const re=Z(b);if(re!==R.__cacheKey){J[re]===void 0&&(J[re]={texture:i.createTexture(),usedTimes:0},a.memory.textures++,G=!0),J[re].usedTimes++;const he=J[R.__cacheKey];he!==void 0&&(J[R.__cacheKey].usedTimes--,he.usedTimes===0&&B(b)),R.__cacheKey=re,R.__webglTexture=J[re].texture}return G}function Ge(R,b,G){return Math.floor(Math.floor(R/G)/b)}function Ct(R,b,G,ne){const re=R.updateRanges;if(re.length===0)t.texSubImage2D(i.TEXTURE_2D,0,0,0,b.width,b.height,G,ne,b.data);else{re.sort((D,K)=>D.start-K.start);let he=0;for(let D=1;D<re.length;D++){const K=re[he],q=re[D],le=K.start+K.count,se=Ge(q.start,b.width,4),ae=Ge(K.start,b.width,4);q.start<=le+1&&se===ae&&Ge(q.start+q.count-1,b.width,4)===se?K.count=Math.max(K.count,q.start+q.count-K.start):(++he,re[he]=q)}re.length=he+1;const $=t.getParameter(i.UNPACK_ROW_LENGTH),j=t.getParameter(i.UNPACK_SKIP_PIXELS),oe=t.getParameter(i.UNPACK_SKIP_ROWS);t.pixelStorei(i.UNPACK_ROW_LENGTH,b.width);for(let D=0,K=re.length;D<K;D++){const q=re[D],le=Math.floor(q.start/4),se=Math.ceil(q.count/4),ae=le%b.width,Ee=Math.floor(le/b.width),ke=se,ie=1;t.pixelStorei(i.UNPACK_SKIP_PIXELS,ae),t.pixelStorei(i.UNPACK_SKIP_ROWS,Ee),t.texSubImage2D(i.TEXTURE_2D,0,ae,Ee,ke,ie,G,ne,b.data)}R.clearUpdateRanges(),t.pixelStorei(i.UNPACK_ROW_LENGTH,$),t.pixelStorei(i.UNPACK_SKIP_PIXELS,j),t.pixelStorei(i.UNPACK_SKIP_ROWS,oe)}}function xt(R,b,G){let ne=i.TEXTURE_2D;(b.isDataArrayTexture||b.isCompressedArrayTexture)&&(ne=i.TEXTURE_2D_ARRAY),b.isData3DTexture&&(ne=i.TEXTURE_3D);const J=nt(R,b),re=b.source;t.bindTexture(ne,R.__webglTexture,i.TEXTURE0+G);const he=n.get(re);if(re.version!==he.__version||J===!0){if(t.activeTexture(i.TEXTURE0+G),(typeof ImageBitmap<"u"&&b.image instanceof ImageBitmap)===!1){const ie=We.getPrimaries(We.workingColorSpace),Te=b.colorSpace===""?null:We.getPrimaries(b.colorSpace),Be=b.colorSpace===""||ie===Te?i.NONE:i.BROWSER_DEFAULT_WEBGL;t.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,b.flipY),t.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,b.premultiplyAlpha),t.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Be)}t.pixelStorei(i.UNPACK_ALIGNMENT,b.unpackAlignment);let j=S(b.image,!1,s.maxTextureSize);j=Re(b,j);const oe=r.convert(b.format,b.colorSpace),D=r.convert(b.type);let K=A(b.internalFormat,oe,D,b.normalized,b.colorSpace,b.isVideoTexture);Je(ne,b);let q;const le=b.mipmaps,se=b.isVideoTexture!==!0,ae=he.__version===void 0||J===!0,Ee=re.dataReady,ke=y(b,j);if(b.isDepthTexture)K=_(b.format===1027,b.type),ae&&(se?t.texStorage2D(i.TEXTURE_2D,1,K,j.width,j.height):t.texImage2D(i.TEXTURE_2D,0,K,j.width,j.height,0,oe,D,null));else if(b.isDataTexture)if(le.length>0){se&&ae&&t.texStorage2D(i.TEXTURE_2D,ke,K,le[0].width,le[0].height);for(let ie=0,Te=le.length;ie<Te;ie++)q=le[ie],se?Ee&&t.texSubImage2D(i.TEXTURE_2D,ie,0,0,q.width,q.height,oe,D,q.data):t.texImage2D(i.TEXTURE_2D,ie,K,q.width,q.height,0,oe,D,q.data);b.generateMipmaps=!1}else se?(ae&&t.texStorage2D(i.TEXTURE_2D,ke,K,j.width,j.height),Ee&&Ct(b,j,oe,D)):t.texImage2D(i.TEXTURE_2D,0,K,j.width,j.height,0,oe,D,j.data);else if(b.isCompressedTexture)if(b.isCompressedArrayTexture){se&&ae&&t.texStorage3D(i.TEXTURE_2D_ARRAY,ke,K,le[0].width,le[0].height,j.depth);for(let ie=0,Te=le.length;ie<Te;ie++)if(q=le[ie],b.format!==1023)if(oe!==null)if(se){if(Ee)if(b.layerUpdates.size>0){const Be=Ha(q.width,q.height,b.format,b.type);for(const fe of b.layerUpdates){const Qe=q.data.subarray(fe*Be/q.data.BYTES_PER_ELEMENT,(fe+1)*Be/q.data.BYTES_PER_ELEMENT);t.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ie,0,0,fe,q.width,q.height,1,oe,Qe)}}else t.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ie,0,0,0,q.width,q.height,j.depth,oe,q.data)}else t.compressedTexImage3D(i.TEXTURE_2D_ARRAY,ie,K,q.width,q.height,j.depth,0,q.data,0,0);else Pe("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else se?Ee&&t.texSubImage3D(i.TEXTURE_2D_ARRAY,ie,0,0,0,q.width,q.height,j.depth,oe,D,q.data):t.texImage3D(i.TEXTURE_2D_ARRAY,ie,K,q.width,q.height,j.depth,0,oe,D,q.data);b.layerUpdates.size>0&&b.clearLayerUpdates()}else{se&&ae&&t.texStorage2D(i.TEXTURE_2D,ke,K,le[0].width,le[0].height);for(let ie=0,Te=le.length;ie<Te;ie++)q=le[ie],b.format!==1023?oe!==null?se?Ee&&t.compressedTexSubImage2D(i.TEXTURE_2D,ie,0,0,q.width,q.height,oe,q.data):t.compressedTexImage2D(i.TEXTURE_2D,ie,K,q.width,q.height,0,q.data):Pe("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):se?Ee&&t.texSubImage2D(i.TEXTURE_2D,ie,0,0,q.width,q.height,oe,D,q.data):t.texImage2D(i.TEXTURE_2D,ie,K,q.width,q.height,0,oe,D,q.data)}else if(b.isDataArrayTexture)if(se){if(ae&&t.texStorage3D(i.TEXTURE_2D_ARRAY,ke,K,j.width,j.height,j.depth),Ee)if(b.layerUpdates.size>0){const ie=Ha(j.width,j.height,b.format,b.type);for(const Te of b.layerUpdates){const Be=j.data.subarray(Te*ie/j.data.BYTES_PER_ELEMENT,(Te+1)*ie/j.data.BYTES_PER_ELEMENT);t.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,Te,j.width,j.height,1,oe,D,Be)}b.clearLayerUpdates()}else t.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,j.width,j.height,j.depth,oe,D,j.data)}else t.texImage3D(i.TEXTURE_2D_ARRAY,0,K,j.width,j.height,j.depth,0,oe,D,j.data);else if(b.isData3DTexture)se?(ae&&t.texStorage3D(i.TEXTURE_3D,ke,K,j.width,j.height,j.depth),Ee&&t.texSubImage3D(i.TEXTURE_3D,0,0,0,0,j.width,j.height,j.depth,oe,D,j.data)):t.texImage3D(i.TEXTURE_3D,0,K,j.width,j.height,j.depth,0,oe,D,j.data);else if(b.isFramebufferTexture){if(ae)if(se)t.texStorage2D(i.TEXTURE_2D,ke,K,j.width,j.height);else{let ie=j.width,Te=j.height;for(let Be=0;Be<ke;Be++)t.texImage2D(i.TEXTURE_2D,Be,K,ie,Te,0,oe,D,null),ie>>=1,Te>>=1}}else if(b.isHTMLTexture){if("texElementImage2D"in i){const ie=i.canvas;if(ie.hasAttribute("layoutsubtree")||ie.setAttribute("layoutsubtree","true"),j.parentNode!==ie){ie.appendChild(j),u.add(b),ie.onpaint=Te=>{const Be=Te.changedElements;for(const fe of u)Be.includes(fe.image)&&(fe.needsUpdate=!0)},ie.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,j);else{const Be=i.RGBA,fe=i.RGBA,Qe=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,Be,fe,Qe,j)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(le.length>0){if(se&&ae){const ie=De(le[0]);t.texStorage2D(i.TEXTURE_2D,ke,K,ie.width,ie.height)}for(let ie=0,Te=le.length;ie<Te;ie++)q=le[ie],se?Ee&&t.texSubImage2D(i.TEXTURE_2D,ie,0,0,oe,D,q):t.texImage2D(i.TEXTURE_2D,ie,K,oe,D,q);b.generateMipmaps=!1}else if(se){if(ae){const ie=De(j);t.texStorage2D(i.TEXTURE_2D,ke,K,ie.width,ie.height)}Ee&&t.texSubImage2D(i.TEXTURE_2D,0,0,0,oe,D,j)}else t.texImage2D(i.TEXTURE_2D,0,K,oe,D,j);E(b)&&b.mipmapsAutoUpdate===!0&&x(ne),he.__version=re.version,b.onUpdate&&b.onUpdate(b)}R.__version=b.version}function zt(R,b,G){if(b.image.length!==6)return;const ne=nt(R,b),J=b.source;t.bindTexture(i.TEXTURE_CUBE_MAP,R.__webglTexture,i.TEXTURE0+G);const re=n.get(J);if(J.version!==re.__version||ne===!0){t.activeTexture(i.TEXTURE0+G);const he=We.getPrimaries(We.workingColorSpace),$=b.colorSpace===""?null:We.getPrimaries(b.colorSpace),j=b.colorSpace===""||he===$?i.NONE:i.BROWSER_DEFAULT_WEBGL;t.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,b.flipY),t.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,b.premultiplyAlpha),t.pixelStorei(i.UNPACK_ALIGNMENT,b.unpackAlignment),t.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,j);const oe=b.isCompressedTexture||b.image[0].isCompressedTexture,D=b.image[0]&&b.image[0].isDataTexture,K=[];for(let fe=0;fe<6;fe++)!oe&&!D?K[fe]=S(b.image[fe],!0,s.maxCubemapSize):K[fe]=D?b.image[fe].image:b.image[fe],K[fe]=Re(b,K[fe]);const q=K[0],le=r.convert(b.format,b.colorSpace),se=r.convert(b.type);let ae=A(b.internalFormat,le,se,b.normalized,b.colorSpace);const Ee=b.isVideoTexture!==!0,ke=re.__version===void 0||ne===!0,ie=J.dataReady;let Te=y(b,q);Je(i.TEXTURE_CUBE_MAP,b);let Be;if(b.isDepthTexture){if(ae=_(b.format===1027,b.type),ke)if(Ee)t.texStorage2D(i.TEXTURE_CUBE_MAP,1,ae,q.width,q.height);else for(let fe=0;fe<6;fe++)t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,0,ae,q.width,q.height,0,le,se,null)}else if(oe){Ee&&ke&&t.texStorage2D(i.TEXTURE_CUBE_MAP,Te,ae,q.width,q.height);for(let fe=0;fe<6;fe++){Be=K[fe].mipmaps;for(let Qe=0;Qe<Be.length;Qe++){const Tt=Be[Qe];b.format!==1023?le!==null?Ee?ie&&t.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,Qe,0,0,Tt.width,Tt.height,le,Tt.data):t.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,Qe,ae,Tt.width,Tt.height,0,Tt.data):Pe("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Ee?ie&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,Qe,0,0,Tt.width,Tt.height,le,se,Tt.data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,Qe,ae,Tt.width,Tt.height,0,le,se,Tt.data)}}}else{if(Be=b.mipmaps,Ee&&ke){Be.length>0&&Te++;const fe=De(K[0]);t.texStorage2D(i.TEXTURE_CUBE_MAP,Te,ae,fe.width,fe.height)}for(let fe=0;fe<6;fe++)if(D){Ee?ie&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,0,0,0,K[fe].width,K[fe].height,le,se,K[fe].data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,0,ae,K[fe].width,K[fe].height,0,le,se,K[fe].data);for(let Qe=0;Qe<Be.length;Qe++){const An=Be[Qe].image[fe].image;Ee?ie&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,Qe+1,0,0,An.width,An.height,le,se,An.data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,Qe+1,ae,An.width,An.height,0,le,se,An.data)}}else{Ee?ie&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,0,0,0,le,se,K[fe]):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,0,ae,le,se,K[fe]);for(let Qe=0;Qe<Be.length;Qe++){const Tt=Be[Qe];Ee?ie&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,Qe+1,0,0,le,se,Tt.image[fe]):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+fe,Qe+1,ae,le,se,Tt.image[fe])}}}E(b)&&b.mipmapsAutoUpdate===!0&&x(i.TEXTURE_CUBE_MAP),re.__version=J.version,b.onUpdate&&b.onUpdate(b)}R.__version=b.version}function ht(R,b,G,ne,J,re){const he=r.convert(G.format,G.colorSpace),$=r.convert(G.type),j=A(G.internalFormat,he,$,G.normalized,G.colorSpace),oe=n.get(b),D=n.get(G);if(D.__renderTarget=b,!oe.__hasExternalTextures){const K=Math.max(1,b.width>>re),q=Math.max(1,b.height>>re);J===i.TEXTURE_3D||J===i.TEXTURE_2D_ARRAY?t.texImage3D(J,re,j,K,q,b.depth,0,he,$,null):t.texImage2D(J,re,j,K,q,0,he,$,null)}t.bindFramebuffer(i.FRAMEBUFFER,R),de(b)?o.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,ne,J,D.__webglTexture,0,lt(b)):(J===i.TEXTURE_2D||J>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&J<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,ne,J,D.__webglTexture,re),t.bindFramebuffer(i.FRAMEBUFFER,null)}function ln(R,b,G){if(i.bindRenderbuffer(i.RENDERBUFFER,R),b.depthBuffer){const ne=b.depthTexture,J=ne&&ne.isDepthTexture?ne.type:null,re=_(b.stencilBuffer,J),he=b.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;de(b)?o.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,lt(b),re,b.width,b.height):G?i.renderbufferStorageMultisample(i.RENDERBUFFER,lt(b),re,b.width,b.height):i.renderbufferStorage(i.RENDERBUFFER,re,b.width,b.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,he,i.RENDERBUFFER,R)}else{const ne=b.textures;for(let J=0;J<ne.length;J++){const re=ne[J],he=r.convert(re.format,re.colorSpace),$=r.convert(re.type),j=A(re.internalFormat,he,$,re.normalized,re.colorSpace);de(b)?o.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,lt(b),j,b.width,b.height):G?i.renderbufferStorageMultisample(i.RENDERBUFFER,lt(b),j,b.width,b.height):i.renderbufferStorage(i.RENDERBUFFER,j,b.width,b.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function Et(R,b,G){const ne=b.isWebGLCubeRenderTarget===!0;if(t.bindFramebuffer(i.FRAMEBUFFER,R),!(b.depthTexture&&b.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");const J=n.get(b.depthTexture);J.__renderTarget=b;const re=ne?b.depthTexture.image[0]:b.depthTexture.image;(!J.__webglTexture||re.width!==b.width||re.height!==b.height)&&(re.width=b.width,re.height=b.height,b.depthTexture.needsUpdate=!0),ne?ge(b.depthTexture,0):me(b.depthTexture,0);const he=J.__webglTexture,$=lt(b),j=ne?i.TEXTURE_CUBE_MAP_POSITIVE_X+G:i.TEXTURE_2D,oe=b.depthTexture.format===1027?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(b.depthTexture.format===1026)de(b)?o.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,oe,j,he,0,$):i.framebufferTexture2D(i.FRAMEBUFFER,oe,j,he,0);else if(b.depthTexture.format===1027)de(b)?o.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,oe,j,he,0,$):i.framebufferTexture2D(i.FRAMEBUFFER,oe,j,he,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function $t(R){const b=n.get(R),G=R.isWebGLCubeRenderTarget===!0;if(b.__boundDepthTexture!==R.depthTexture){const ne=R.depthTexture;if(b.__depthDisposeCallback&&b.__depthDisposeCallback(),ne){const J=()=>{delete b.__boundDepthTexture,delete b.__depthDisposeCallback,ne.removeEventListener("dispose",J)};ne.addEventListener("dispose",J),b.__depthDisposeCallback=J}b.__boundDepthTexture=ne}if(R.depthTexture&&!b.__autoAllocateDepthBuffer)if(G)for(let ne=0;ne<6;ne++)Et(b.__webglFramebuffer[ne],R,ne);else R.texture.mipmaps.length>0?Et(b.__webglFramebuffer[0],R,0):Et(b.__webglFramebuffer,R,0);else if(G){b.__webglDepthbuffer=[];for(let ne=0;ne<6;ne++)if(t.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer[ne]),b.__webglDepthbuffer[ne]===void 0)b.__webglDepthbuffer[ne]=i.createRenderbuffer(),ln(b.__webglDepthbuffer[ne],R,!1);else{const J=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,re=b.__webglDepthbuffer[ne];i.bindRenderbuffer(i.RENDERBUFFER,re),i.framebufferRenderbuffer(i.FRAMEBUFFER,J,i.RENDERBUFFER,re)}}else if(R.texture.mipmaps.length>0?t.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer[0]):t.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer),b.__webglDepthbuffer===void 0)b.__webglDepthbuffer=i.createRenderbuffer(),ln(b.__webglDepthbuffer,R,!1);else{const J=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,re=b.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,re),i.framebufferRenderbuffer(i.FRAMEBUFFER,J,i.RENDERBUFFER,re)}t.bindFramebuffer(i.FRAMEBUFFER,null)}function Yt(R,b,G){const ne=n.get(R);b!==void 0&&ht(ne.__webglFramebuffer,R,R.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),G!==void 0&&$t(R)}function Zt(R){const b=R.texture,G=n.get(R),ne=n.get(b);R.addEventListener("dispose",O),P(R);const J=R.textures,re=R.isWebGLCubeRenderTarget===!0,he=J.length>1;if(he||(ne.__webglTexture===void 0&&(ne.__webglTexture=i.createTexture()),ne.__version=b.version,a.memory.textures++),re){G.__webglFramebuffer=[];for(let $=0;$<6;$++)if(b.mipmaps.length>0){G.__webglFramebuffer[$]=[];for(let j=0;j<b.mipmaps.length;j++)G.__webglFramebuffer[$][j]=i.createFramebuffer()}else G.__webglFramebuffer[$]=i.createFramebuffer()}else{if(b.mipmaps.length>0){G.__webglFramebuffer=[];for(let $=0;$<b.mipmaps.length;$++)G.__webglFramebuffer[$]=i.createFramebuffer()}else G.__webglFramebuffer=i.createFramebuffer();if(he)for(let $=0,j=J.length;$<j;$++){const oe=n.get(J[$]);oe.__webglTexture===void 0&&(oe.__webglTexture=i.createTexture(),a.memory.textures++)}if(R.samples>0&&de(R)===!1){G.__webglMultisampledFramebuffer=i.createFramebuffer(),G.__webglColorRenderbuffer=[],t.bindFramebuffer(i.FRAMEBUFFER,G.__webglMultisampledFramebuffer);for(let $=0;$<J.length;$++){const j=J[$];G.__webglColorRenderbuffer[$]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,G.__webglColorRenderbuffer[$]);const oe=r.convert(j.format,j.colorSpace),D=r.convert(j.type),K=A(j.internalFormat,oe,D,j.normalized,j.colorSpace,R.isXRRenderTarget===!0),q=lt(R);i.renderbufferStorageMultisample(i.RENDERBUFFER,q,K,R.width,R.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+$,i.RENDERBUFFER,G.__webglColorRenderbuffer[$])}i.bindRenderbuffer(i.RENDERBUFFER,null),R.depthBuffer&&(G.__webglDepthRenderbuffer=i.createRenderbuffer(),ln(G.__webglDepthRenderbuffer,R,!0)),t.bindFramebuffer(i.FRAMEBUFFER,null)}}if(re){t.bindTexture(i.TEXTURE_CUBE_MAP,ne.__webglTexture),Je(i.TEXTURE_CUBE_MAP,b);for(let $=0;$<6;$++)if(b.mipmaps.length>0)for(let j=0;j<b.mipmaps.length;j++)ht(G.__webglFramebuffer[$][j],R,b,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+$,j);else ht(G.__webglFramebuffer[$],R,b,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+$,0);E(b)?x(i.TEXTURE_CUBE_MAP):b.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,b.mipmaps.length-1),t.unbindTexture()}else if(he){for(let $=0,j=J.length;$<j;$++){const oe=J[$],D=n.get(oe);let K=i.TEXTURE_2D;(R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(K=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),t.bindTexture(K,D.__webglTexture),Je(K,oe),ht(G.__webglFramebuffer,R,oe,i.COLOR_ATTACHMENT0+$,K,0),E(oe)&&x(K)}t.unbindTexture()}else{let $=i.TEXTURE_2D;if((R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&($=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),t.bindTexture($,ne.__webglTexture),Je($,b),b.mipmaps.length>0)for(let j=0;j<b.mipmaps.length;j++)ht(G.__webglFramebuffer[j],R,b,i.COLOR_ATTACHMENT0,$,j);else ht(G.__webglFramebuffer,R,b,i.COLOR_ATTACHMENT0,$,0);E(b)?x($):b.mipmaps.length>0&&i.texParameteri($,i.TEXTURE_MAX_LEVEL,b.mipmaps.length-1),t.unbindTexture()}R.depthBuffer&&$t(R)}function U(R){const b=R.textures;for(let G=0,ne=b.length;G<ne;G++){const J=b[G];if(E(J)&&J.mipmapsAutoUpdate===!0){const re=T(R),he=n.get(J).__webglTexture;t.bindTexture(re,he),x(re),t.unbindTexture()}}}const jt=[];function ot(R){if(R.samples>0){if(de(R)===!1){const b=R.textures,G=R.width,ne=R.height;let J=i.COLOR_BUFFER_BIT;const re=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,he=n.get(R),$=b.length>1;if($)for(let oe=0;oe<b.length;oe++)t.bindFramebuffer(i.FRAMEBUFFER,he.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+oe,i.RENDERBUFFER,null),t.bindFramebuffer(i.FRAMEBUFFER,he.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+oe,i.TEXTURE_2D,null,0);t.bindFramebuffer(i.READ_FRAMEBUFFER,he.__webglMultisampledFramebuffer),R.texture.mipmaps.length>0?t.bindFramebuffer(i.DRAW_FRAMEBUFFER,he.__webglFramebuffer[0]):t.bindFramebuffer(i.DRAW_FRAMEBUFFER,he.__webglFramebuffer);for(let oe=0;oe<b.length;oe++){if(R.resolveDepthBuffer&&(R.depthBuffer&&(J|=i.DEPTH_BUFFER_BIT),R.stencilBuffer&&R.resolveStencilBuffer&&(J|=i.STENCIL_BUFFER_BIT)),$){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,he.__webglColorRenderbuffer[oe]);const D=n.get(b[oe]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,D,0)}i.blitFramebuffer(0,0,G,ne,0,0,G,ne,J,i.NEAREST),l===!0&&(jt.length=0,jt.push(i.COLOR_ATTACHMENT0+oe),R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&jt.push(re),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,jt))}if(t.bindFramebuffer(i.READ_FRAMEBUFFER,null),t.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),$)for(let oe=0;oe<b.length;oe++){t.bindFramebuffer(i.FRAMEBUFFER,he.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+oe,i.RENDERBUFFER,he.__webglColorRenderbuffer[oe]);const D=n.get(b[oe]).__webglTexture;t.bindFramebuffer(i.FRAMEBUFFER,he.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+oe,i.TEXTURE_2D,D,0)}t.bindFramebuffer(i.DRAW_FRAMEBUFFER,he.__webglMultisampledFramebuffer)}else if(R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&l){const b=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[b])}}}function lt(R){return Math.min(s.maxSamples,R.samples)}function de(R){const b=n.get(R);return R.samples>0&&e.has("WEBGL_multisampled_render_to_texture")===!0&&b.__useRenderToTexture!==!1}function St(R){const b=a.render.frame;h.get(R)!==b&&(h.set(R,b),R.update())}function Re(R,b){const G=R.colorSpace,ne=R.format,J=R.type;return R.isCompressedTexture===!0||R.isVideoTexture===!0||G!==zs&&G!==""&&(We.getTransfer(G)===et?(ne!==1023||J!==1009)&&Pe("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):je("WebGLTextures: Unsupported texture color space:",G)),b}function De(R){return typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement?(c.width=R.naturalWidth||R.width,c.height=R.naturalHeight||R.height):typeof VideoFrame<"u"&&R instanceof VideoFrame?(c.width=R.displayWidth,c.height=R.displayHeight):(c.width=R.width,c.height=R.height),c}this.allocateTextureUnit=Le,this.resetTextureUnits=Q,this.getTextureUnits=ee,this.setTextureUnits=xe,this.setTexture2D=me,this.setTexture2DArray=Me,this.setTexture3D=Ae,this.setTextureCube=ge,this.rebindTextures=Yt,this.setupRenderTarget=Zt,this.updateRenderTargetMipmap=U,this.updateMultisampleRenderTarget=ot,this.setupDepthRenderbuffer=$t,this.setupFrameBufferTexture=ht,this.useMultisampledRTT=de,this.dispose=z}function tp(i,e){function t(n,s=""){let r;const a=We.getTransfer(s);if(n===1009)return i.UNSIGNED_BYTE;if(n===1017)return i.UNSIGNED_SHORT_4_4_4_4;if(n===1018)return i.UNSIGNED_SHORT_5_5_5_1;if(n===35902)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===35899)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===1010)return i.BYTE;if(n===1011)return i.SHORT;if(n===1012)return i.UNSIGNED_SHORT;if(n===1013)return i.INT;if(n===1014)return i.UNSIGNED_INT;if(n===1015)return i.FLOAT;if(n===1016)return i.HALF_FLOAT;if(n===1021)return i.ALPHA;if(n===1022)return i.RGB;if(n===1023)return i.RGBA;if(n===1026)return i.DEPTH_COMPONENT;if(n===1027)return i.DEPTH_STENCIL;if(n===1028)return i.RED;if(n===1029)return i.RED_INTEGER;if(n===1030)return i.RG;if(n===1031)return i.RG_INTEGER;if(n===1033)return i.RGBA_INTEGER;if(n===33776||n===33777||n===33778||n===33779)if(a===et)if(r=e.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===33776)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===33777)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===33778)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===33779)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=e.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===33776)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===33777)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===33778)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===33779)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===35840||n===35841||n===35842||n===35843)if(r=e.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===35840)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===35841)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===35842)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===35843)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===36196||n===37492||n===37496||n===37488||n===37489||n===37490||n===37491)if(r=e.get("WEBGL_compressed_texture_etc"),r!==null){if(n===36196||n===37492)return a===et?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===37496)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===37488)return r.COMPRESSED_R11_EAC;if(n===37489)return r.COMPRESSED_SIGNED_R11_EAC;if(n===37490)return r.COMPRESSED_RG11_EAC;if(n===37491)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===37808||n===37809||n===37810||n===37811||n===37812||n===37813||n===37814||n===37815||n===37816||n===37817||n===37818||n===37819||n===37820||n===37821)if(r=e.get("WEBGL_compressed_texture_astc"),r!==null){if(n===37808)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===37809)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===37810)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===37811)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===37812)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===37813)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===37814)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===37815)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===37816)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===37817)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===37818)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===37819)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===37820)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===37821)return a===et?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===36492||n===36494||n===36495)if(r=e.get("EXT_texture_compression_bptc"),r!==null){if(n===36492)return a===et?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===36494)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===36495)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===36283||n===36284||n===36285||n===36286)if(r=e.get("EXT_texture_compression_rgtc"),r!==null){if(n===36283)return r.COMPRESSED_RED_RGTC1_EXT;if(n===36284)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===36285)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===36286)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===1020?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:t}}const np=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,ip=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`;class sp{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){const n=new qo(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){const t=e.cameras[0].viewport,n=new Tn({vertexShader:np,fragmentShader:ip,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new ve(new Jn(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}}class rp extends Bn{constructor(e,t){super();const n=this;let s=null,r=1,a=null,o="local-floor",l=1,c=null,h=null,u=null,d=null,f=null,m=null;const v=typeof XRWebGLBinding<"u",g=new sp,p={},S=t.getContextAttributes();let E=null,x=null;const T=[],A=[],_=new qe;let y=null,P=null;const C=new an;C.viewport=new pt;const F=new an;F.viewport=new pt;const O=[C,F],X=new pc;let I=null,z=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(Z){let me=T[Z];return me===void 0&&(me=new cr,T[Z]=me),me.getTargetRaySpace()},this.getControllerGrip=function(Z){let me=T[Z];return me===void 0&&(me=new cr,T[Z]=me),me.getGripSpace()},this.getHand=function(Z){let me=T[Z];return me===void 0&&(me=new cr,T[Z]=me),me.getHandSpace()};function Y(Z){const me=A.indexOf(Z.inputSource);if(me===-1)return;const Me=T[me];Me!==void 0&&(Me.update(Z.inputSource,Z.frame,c||a),Me.dispatchEvent({type:Z.type,data:Z.inputSource}))}function B(){s.removeEventListener("select",Y),s.removeEventListener("selectstart",Y),s.removeEventListener("selectend",Y),s.removeEventListener("squeeze",Y),s.removeEventListener("squeezestart",Y),s.removeEventListener("squeezeend",Y),s.removeEventListener("end",B),s.removeEventListener("inputsourceschange",te);for(let Z=0;Z<T.length;Z++){const me=A[Z];me!==null&&(A[Z]=null,T[Z].disconnect(me))}I=null,z=null,g.reset();for(const Z in p)delete p[Z];if(e.setRenderTarget(E),f=null,d=null,u=null,s=null,x=null,Le.stop(),n.isPresenting=!1,e.setPixelRatio(y),e.setSize(_.width,_.height,!1),P!==null){const Z=P.camera;Z.fov=P.fov,Z.zoom=P.zoom,Z.updateProjectionMatrix(),P=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(Z){r=Z,n.isPresenting===!0&&Pe("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(Z){o=Z,n.isPresenting===!0&&Pe("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||a},this.setReferenceSpace=function(Z){c=Z},this.getBaseLayer=function(){return d!==null?d:f},this.getBinding=function(){return u===null&&v&&(u=new XRWebGLBinding(s,t)),u},this.getFrame=function(){return m},this.getSession=function(){return s},this.setSession=async function(Z){if(s=Z,s!==null){if(E=e.getRenderTarget(),s.addEventListener("select",Y),s.addEventListener("selectstart",Y),s.addEventListener("selectend",Y),s.addEventListener("squeeze",Y),s.addEventListener("squeezestart",Y),s.addEventListener("squeezeend",Y),s.addEventListener("end",B),s.addEventListener("inputsourceschange",te),S.xrCompatible!==!0&&await t.makeXRCompatible(),y=e.getPixelRatio(),e.getSize(_),v&&"createProjectionLayer"in XRWebGLBinding.prototype){let Me=null,Ae=null,ge=null;S.depth&&(ge=S.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,Me=S.stencil?1027:1026,Ae=S.stencil?1020:1014);const Fe={colorFormat:t.RGBA8,depthFormat:ge,scaleFactor:r};u=this.getBinding(),d=u.createProjectionLayer(Fe),s.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),x=new pn(d.textureWidth,d.textureHeight,{format:1023,type:1009,depthTexture:new gi(d.textureWidth,d.textureHeight,Ae,void 0,void 0,void 0,void 0,void 0,void 0,Me),stencilBuffer:S.stencil,colorSpace:e.outputColorSpace,samples:S.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{const Me={antialias:S.antialias,alpha:!0,depth:S.depth,stencil:S.stencil,framebufferScaleFactor:r};f=new XRWebGLLayer(s,t,Me),s.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),x=new pn(f.framebufferWidth,f.framebufferHeight,{format:1023,type:1009,colorSpace:e.outputColorSpace,stencilBuffer:S.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}x.isXRRenderTarget=!0,this.setFoveation(l),c=null,a=await s.requestReferenceSpace(o),Le.setContext(s),Le.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return g.getDepthTexture()};function te(Z){for(let me=0;me<Z.removed.length;me++){const Me=Z.removed[me],Ae=A.indexOf(Me);Ae>=0&&(A[Ae]=null,T[Ae].disconnect(Me))}for(let me=0;me<Z.added.length;me++){const Me=Z.added[me];let Ae=A.indexOf(Me);if(Ae===-1){for(let Fe=0;Fe<T.length;Fe++)if(Fe>=A.length){A.push(Me),Ae=Fe;break}else if(A[Fe]===null){A[Fe]=Me,Ae=Fe;break}if(Ae===-1)break}const ge=T[Ae];ge&&ge.connect(Me)}}function V(Z,me){me===null?Z.matrixWorld.copy(Z.matrix):Z.matrixWorld.multiplyMatrices(me.matrixWorld,Z.matrix),Z.matrixWorldInverse.copy(Z.matrixWorld).invert()}this.updateCamera=function(Z){if(s===null)return;let me=Z.near,Me=Z.far;g.texture!==null&&(g.depthNear>0&&(me=g.depthNear),g.depthFar>0&&(Me=g.depthFar)),X.near=F.near=C.near=me,X.far=F.far=C.far=Me,(I!==X.near||z!==X.far)&&(s.updateRenderState({depthNear:X.near,depthFar:X.far}),I=X.near,z=X.far),X.layers.mask=Z.layers.mask|6,C.layers.mask=X.layers.mask&-5,F.layers.mask=X.layers.mask&-3;const Ae=Z.parent,ge=X.cameras;V(X,Ae);for(let Fe=0;Fe<ge.length;Fe++)V(ge[Fe],Ae);X.projectionMatrix.copy(C.projectionMatrix),X.projectionMatrixInverse.copy(C.projectionMatrixInverse),P===null&&Z.isPerspectiveCamera&&(P={camera:Z,fov:Z.fov,zoom:Z.zoom}),Q(Z,X,Ae)};function Q(Z,me,Me){Me===null?Z.matrix.copy(me.matrixWorld):(Z.matrix.copy(Me.matrixWorld),Z.matrix.invert(),Z.matrix.multiply(me.matrixWorld)),Z.matrix.decompose(Z.position,Z.quaternion,Z.scale),Z.updateMatrixWorld(!0),Z.projectionMatrix.copy(me.projectionMatrix),Z.projectionMatrixInverse.copy(me.projectionMatrixInverse),Z.isPerspectiveCamera&&(Z.fov=Nr*2*Math.atan(1/Z.projectionMatrix.elements[5]),Z.zoom=1)}this.getCamera=function(){return X},this.getFoveation=function(){if(!(d===null&&f===null))return l},this.setFoveation=function(Z){l=Z,d!==null&&(d.fixedFoveation=Z),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=Z)},this.hasDepthSensing=function(){return g.texture!==null},this.getDepthSensingMesh=function(){return g.getMesh(X)},this.getCameraTexture=function(Z){return p[Z]};let ee=null;function xe(Z,me){if(h=me.getViewerPose(c||a),m=me,h!==null){const Me=h.views;f!==null&&(e.setRenderTargetFramebuffer(x,f.framebuffer),e.setRenderTarget(x));let Ae=!1;Me.length!==X.cameras.length&&(X.cameras.length=0,Ae=!0);for(let Ce=0;Ce<Me.length;Ce++){const Je=Me[Ce];let nt=null;if(f!==null)nt=f.getViewport(Je);else{const Ct=u.getViewSubImage(d,Je);nt=Ct.viewport,Ce===0&&(e.setRenderTargetTextures(x,Ct.colorTexture,Ct.depthStencilTexture),e.setRenderTarget(x))}let Ge=O[Ce];Ge===void 0&&(Ge=new an,Ge.layers.enable(Ce),Ge.viewport=new pt,O[Ce]=Ge),Ge.matrix.fromArray(Je.transform.matrix),Ge.matrix.decompose(Ge.position,Ge.quaternion,Ge.scale),Ge.projectionMatrix.fromArray(Je.projectionMatrix),Ge.projectionMatrixInverse.copy(Ge.projectionMatrix).invert(),Ge.viewport.set(nt.x,nt.y,nt.width,nt.height),Ce===0&&(X.matrix.copy(Ge.matrix),X.matrix.decompose(X.position,X.quaternion,X.scale)),Ae===!0&&X.cameras.push(Ge)}const ge=s.enabledFeatures;if(ge&&ge.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&v){u=n.getBinding();const Ce=u.getDepthInformation(Me[0]);Ce&&Ce.isValid&&Ce.texture&&g.init(Ce,s.renderState)}if(ge&&ge.includes("camera-access")&&v){e.state.unbindTexture(),u=n.getBinding();for(let Ce=0;Ce<Me.length;Ce++){const Je=Me[Ce].camera;if(Je){let nt=p[Je];nt||(nt=new qo,p[Je]=nt);const Ge=u.getCameraImage(Je);nt.sourceTexture=Ge}}}}for(let Me=0;Me<T.length;Me++){const Ae=A[Me],ge=T[Me];Ae!==null&&ge!==void 0&&ge.update(Ae,me,c||a)}ee&&ee(Z,me),me.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:me}),m=null}const Le=new Zo;Le.setAnimationLoop(xe),this.setAnimationLoop=function(Z){ee=Z},this.dispose=function(){}}}const ap=new Ze,rl=new Ue;rl.set(-1,0,0,0,1,0,0,0,1);function op(i,e){function t(g,p){g.matrixAutoUpdate===!0&&g.updateMatrix(),p.value.copy(g.matrix)}function n(g,p){p.color.getRGB(g.fogColor.value,$o(i)),p.isFog?(g.fogNear.value=p.near,g.fogFar.value=p.far):p.isFogExp2&&(g.fogDensity.value=p.density)}function s(g,p,S,E,x){p.isNodeMaterial?p.uniformsNeedUpdate=!1:p.isMeshBasicMaterial?r(g,p):p.isMeshLambertMaterial?(r(g,p),p.envMap&&(g.envMapIntensity.value=p.envMapIntensity)):p.isMeshToonMaterial?(r(g,p),u(g,p)):p.isMeshPhongMaterial?(r(g,p),h(g,p),p.envMap&&(g.envMapIntensity.value=p.envMapIntensity)):p.isMeshStandardMaterial?(r(g,p),d(g,p),p.isMeshPhysicalMaterial&&f(g,p,x)):p.isMeshMatcapMaterial?(r(g,p),m(g,p)):p.isMeshDepthMaterial?r(g,p):p.isMeshDistanceMaterial?(r(g,p),v(g,p)):p.isMeshNormalMaterial?r(g,p):p.isLineBasicMaterial?(a(g,p),p.isLineDashedMaterial&&o(g,p)):p.isPointsMaterial?l(g,p,S,E):p.isSpriteMaterial?c(g,p):p.isShadowMaterial?(g.color.value.copy(p.color),g.opacity.value=p.opacity):p.isShaderMaterial&&(p.uniformsNeedUpdate=!1)}function r(g,p){g.opacity.value=p.opacity,p.color&&g.diffuse.value.copy(p.color),p.emissive&&g.emissive.value.copy(p.emissive).multiplyScalar(p.emissiveIntensity),p.map&&(g.map.value=p.map,t(p.map,g.mapTransform)),p.alphaMap&&(g.alphaMap.value=p.alphaMap,t(p.alphaMap,g.alphaMapTransform)),p.bumpMap&&(g.bumpMap.value=p.bumpMap,t(p.bumpMap,g.bumpMapTransform),g.bumpScale.value=p.bumpScale,p.side===1&&(g.bumpScale.value*=-1)),p.normalMap&&(g.normalMap.value=p.normalMap,t(p.normalMap,g.normalMapTransform),g.normalScale.value.copy(p.normalScale),p.side===1&&g.normalScale.value.negate()),p.displacementMap&&(g.displacementMap.value=p.displacementMap,t(p.displacementMap,g.displacementMapTransform),g.displacementScale.value=p.displacementScale,g.displacementBias.value=p.displacementBias),p.emissiveMap&&(g.emissiveMap.value=p.emissiveMap,t(p.emissiveMap,g.emissiveMapTransform)),p.specularMap&&(g.specularMap.value=p.specularMap,t(p.specularMap,g.specularMapTransform)),p.alphaTest>0&&(g.alphaTest.value=p.alphaTest);const S=e.get(p),E=S.envMap,x=S.envMapRotation;E&&(g.envMap.value=E,g.envMapRotation.value.setFromMatrix4(ap.makeRotationFromEuler(x)).transpose(),E.isCubeTexture&&E.isRenderTargetTexture===!1&&g.envMapRotation.value.premultiply(rl),g.reflectivity.value=p.reflectivity,g.ior.value=p.ior,g.refractionRatio.value=p.refractionRatio),p.lightMap&&(g.lightMap.value=p.lightMap,g.lightMapIntensity.value=p.lightMapIntensity,t(p.lightMap,g.lightMapTransform)),p.aoMap&&(g.aoMap.value=p.aoMap,g.aoMapIntensity.value=p.aoMapIntensity,t(p.aoMap,g.aoMapTransform))}function a(g,p){g.diffuse.value.copy(p.color),g.opacity.value=p.opacity,p.map&&(g.map.value=p.map,t(p.map,g.mapTransform))}function o(g,p){g.dashSize.value=p.dashSize,g.totalSize.value=p.dashSize+p.gapSize,g.scale.value=p.scale}function l(g,p,S,E){g.diffuse.value.copy(p.color),g.opacity.value=p.opacity,g.size.value=p.size*S,g.scale.value=E*.5,p.map&&(g.map.value=p.map,t(p.map,g.uvTransform)),p.alphaMap&&(g.alphaMap.value=p.alphaMap,t(p.alphaMap,g.alphaMapTransform)),p.alphaTest>0&&(g.alphaTest.value=p.alphaTest)}function c(g,p){g.diffuse.value.copy(p.color),g.opacity.value=p.opacity,g.rotation.value=p.rotation,p.map&&(g.map.value=p.map,t(p.map,g.mapTransform)),p.alphaMap&&(g.alphaMap.value=p.alphaMap,t(p.alphaMap,g.alphaMapTransform)),p.alphaTest>0&&(g.alphaTest.value=p.alphaTest)}function h(g,p){g.specular.value.copy(p.specular),g.shininess.value=Math.max(p.shininess,1e-4)}function u(g,p){p.gradientMap&&(g.gradientMap.value=p.gradientMap)}function d(g,p){g.metalness.value=p.metalness,p.metalnessMap&&(g.metalnessMap.value=p.metalnessMap,t(p.metalnessMap,g.metalnessMapTransform)),g.roughness.value=p.roughness,p.roughnessMap&&(g.roughnessMap.value=p.roughnessMap,t(p.roughnessMap,g.roughnessMapTransform)),p.envMap&&(g.envMapIntensity.value=p.envMapIntensity)}function f(g,p,S){g.ior.value=p.ior,p.diffuseRoughness>0&&(g.diffuseRoughness.value=p.diffuseRoughness,p.diffuseRoughnessMap&&(g.diffuseRoughnessMap.value=p.diffuseRoughnessMap,t(p.diffuseRoughnessMap,g.diffuseRoughnessMapTransform))),p.sheen>0&&(g.sheenColor.value.copy(p.sheenColor).multiplyScalar(p.sheen),g.sheenRoughness.value=p.sheenRoughness,p.sheenColorMap&&(g.sheenColorMap.value=p.sheenColorMap,t(p.sheenColorMap,g.sheenColorMapTransform)),p.sheenRoughnessMap&&(g.sheenRoughnessMap.value=p.sheenRoughnessMap,t(p.sheenRoughnessMap,g.sheenRoughnessMapTransform))),p.clearcoat>0&&(g.clearcoat.value=p.clearcoat,g.clearcoatRoughness.value=p.clearcoatRoughness,p.clearcoatMap&&(g.clearcoatMap.value=p.clearcoatMap,t(p.clearcoatMap,g.clearcoatMapTransform)),p.clearcoatRoughnessMap&&(g.clearcoatRoughnessMap.value=p.clearcoatRoughnessMap,t(p.clearcoatRoughnessMap,g.clearcoatRoughnessMapTransform)),p.clearcoatNormalMap&&(g.clearcoatNormalMap.value=p.clearcoatNormalMap,t(p.clearcoatNormalMap,g.clearcoatNormalMapTransform),g.clearcoatNormalScale.value.copy(p.clearcoatNormalScale),p.side===1&&g.clearcoatNormalScale.value.negate())),p.dispersion>0&&(g.dispersion.value=p.dispersion),p.retroreflectivity>0&&(g.retroreflectivity.value=p.retroreflectivity),p.iridescence>0&&(g.iridescence.value=p.iridescence,g.iridescenceIOR.value=p.iridescenceIOR,g.iridescenceThicknessMinimum.value=p.iridescenceThicknessMinimum,g.iridescenceThicknessMaximum.value=p.iridescenceThicknessMaximum,p.iridescenceMap&&(g.iridescenceMap.value=p.iridescenceMap,t(p.iridescenceMap,g.iridescenceMapTransform)),p.iridescenceThicknessMap&&(g.iridescenceThicknessMap.value=p.iridescenceThicknessMap,t(p.iridescenceThicknessMap,g.iridescenceThicknessMapTransform))),p.transmission>0&&(g.transmission.value=p.transmission,g.transmissionSamplerMap.value=S.texture,g.transmissionSamplerSize.value.set(S.width,S.height),p.transmissionMap&&(g.transmissionMap.value=p.transmissionMap,t(p.transmissionMap,g.transmissionMapTransform)),g.thickness.value=p.thickness,p.thicknessMap&&(g.thicknessMap.value=p.thicknessMap,t(p.thicknessMap,g.thicknessMapTransform)),g.attenuationDistance.value=p.attenuationDistance,g.attenuationColor.value.copy(p.attenuationColor)),p.anisotropy>0&&(g.anisotropyVector.value.set(p.anisotropy*Math.cos(p.anisotropyRotation),p.anisotropy*Math.sin(p.anisotropyRotation)),p.anisotropyMap&&(g.anisotropyMap.value=p.anisotropyMap,t(p.anisotropyMap,g.anisotropyMapTransform))),g.specularIntensity.value=p.specularIntensity,g.specularColor.value.copy(p.specularColor),p.specularColorMap&&(g.specularColorMap.value=p.specularColorMap,t(p.specularColorMap,g.specularColorMapTransform)),p.specularIntensityMap&&(g.specularIntensityMap.value=p.specularIntensityMap,t(p.specularIntensityMap,g.specularIntensityMapTransform))}function m(g,p){p.matcap&&(g.matcap.value=p.matcap)}function v(g,p){const S=e.get(p).light;g.referencePosition.value.setFromMatrixPosition(S.matrixWorld),g.nearDistance.value=S.shadow.camera.near,g.farDistance.value=S.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function lp(i,e,t,n){let s={},r={};function a(S,E){const x=E.program;n.uniformBlockBinding(S,x,s[S.id])}function o(S,E){let x=s[S.id];x===void 0&&(m(S),x=l(S),s[S.id]=x,S.addEventListener("dispose",g));const T=E.program;n.updateUBOMapping(S,T);const A=e.render.frame;r[S.id]!==A&&(c(S),r[S.id]=A)}function l(S){const E=i.createBuffer(),x=S.__size,T=S.usage;return i.bindBuffer(i.UNIFORM_BUFFER,E),i.bufferData(i.UNIFORM_BUFFER,x,T),i.bindBuffer(i.UNIFORM_BUFFER,null),E}function c(S){const E=s[S.id],x=S.uniforms,T=S.__cache;i.bindBuffer(i.UNIFORM_BUFFER,E);for(let A=0,_=x.length;A<_;A++){const y=x[A];if(Array.isArray(y))for(let P=0,C=y.length;P<C;P++)h(y[P],A,P,T);else h(y,A,0,T)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function h(S,E,x,T){if(d(S,E,x,T)===!0){const A=S.__offset,_=S.value;if(Array.isArray(_)){let y=0;for(let P=0;P<_.length;P++){const C=_[P],F=v(C,!0);u(C,S.__data,y),y+=F.storage/Float32Array.BYTES_PER_ELEMENT}}else u(_,S.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,A,S.__data)}}function u(S,E,x){typeof S=="number"||typeof S=="boolean"?E[x]=S:S.isMatrix3?(E[x]=S.elements[0],E[x+1]=S.elements[1],E[x+2]=S.elements[2],E[x+3]=0,E[x+4]=S.elements[3],E[x+5]=S.elements[4],E[x+6]=S.elements[5],E[x+7]=0,E[x+8]=S.elements[6],E[x+9]=S.elements[7],E[x+10]=S.elements[8],E[x+11]=0):ArrayBuffer.isView(S)?E.set(S.subarray(0,E.length-x),x):S.toArray(E,x)}function d(S,E,x,T){const A=S.value,_=E+"_"+x;if(Array.isArray(A)){T[_]===void 0&&(T[_]=[]);const y=T[_];let P=!1;for(let C=0;C<A.length;C++)f(A[C],y,C)===!0&&(P=!0);return P}return f(A,T,_)}function f(S,E,x){if(E[x]===void 0)return typeof S=="number"||typeof S=="boolean"?E[x]=S:ArrayBuffer.isView(S)?E[x]=S.slice():E[x]=S.clone(),!0;{const T=E[x];if(typeof S=="number"||typeof S=="boolean"){if(T!==S)return E[x]=S,!0}else{if(ArrayBuffer.isView(S))return!0;if(T.equals(S)===!1)return T.copy(S),!0}}return!1}function m(S){const E=S.uniforms;let x=0;const T=16;for(let _=0,y=E.length;_<y;_++){const P=Array.isArray(E[_])?E[_]:[E[_]];for(let C=0,F=P.length;C<F;C++){const O=P[C],X=Array.isArray(O.value)?O.value:[O.value],I=Array.isArray(E[_])||Array.isArray(O.value);let z=x;for(let B=0,te=X.length;B<te;B++){const V=X[B],Q=v(V,I),ee=x%T,xe=ee%Q.boundary,Le=ee+xe;x+=xe,Le!==0&&T-Le<Q.storage&&(x+=T-Le),B===0&&(z=x),x+=Q.storage}const Y=O.type==="int"?Int32Array:O.type==="uint"?Uint32Array:Float32Array;O.__data=new Y((x-z)/Float32Array.BYTES_PER_ELEMENT),O.__offset=z}}const A=x%T;return A>0&&(x+=T-A),S.__size=x,S.__cache={},this}function v(S,E){const x={boundary:0,storage:0};return typeof S=="number"||typeof S=="boolean"?(x.boundary=4,x.storage=4):S.isVector2?(x.boundary=8,x.storage=8):S.isVector3||S.isColor?(x.boundary=16,x.storage=12):S.isVector4?(x.boundary=16,x.storage=16):S.isMatrix3?(x.boundary=16,x.storage=48):S.isMatrix4?(x.boundary=16,x.storage=64):S.isTexture?Pe("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(S)?(x.boundary=16,x.storage=S.byteLength):Pe("WebGLRenderer: Unsupported uniform value type.",S),E===!0&&(x.boundary=16,x.storage=Math.ceil(x.storage/16)*16),x}function g(S){const E=S.target;E.removeEventListener("dispose",g),i.deleteBuffer(s[E.id]),delete s[E.id],delete r[E.id]}function p(){for(const S in s)i.deleteBuffer(s[S]);s={},r={}}return{bind:a,update:o,dispose:p}}const cp=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]);let hn=null;function hp(){return hn===null&&(hn=new Hi(cp,16,16,1030,1016),hn.name="DFG_LUT",hn.minFilter=1006,hn.magFilter=1006,hn.wrapS=1001,hn.wrapT=1001,hn.generateMipmaps=!1,hn.needsUpdate=!0),hn}class up{constructor(e={}){const{canvas:t=Rl(),context:n=null,depth:s=!0,stencil:r=!1,alpha:a=!1,antialias:o=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=1009}=e;this.isWebGLRenderer=!0;let m;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");m=n.getContextAttributes().alpha}else m=a;const v=f,g=new Set([1033,1031,1029]),p=new Set([1009,1014,1012,1020,1017,1018]),S=new Uint32Array(4),E=new Int32Array(4),x={textures:[],min:[],max:[],resolution:[]};let T=null,A=null;const _=[],y=[];let P=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=0,this.toneMappingExposure=1,this.transmissionResolutionScale=1;const C=this;let F=!1,O=null,X=null,I=null,z=null;this._outputColorSpace=Jt;let Y=0,B=0,te=null,V=-1,Q=null;const ee=new pt,xe=new pt;let Le=null;const Z=new Ie(0);let me=0,Me=t.width,Ae=t.height,ge=1,Fe=null,gt=null;const Ce=new pt(0,0,Me,Ae),Je=new pt(0,0,Me,Ae);let nt=!1;const Ge=new Ws,Ct=new jr;let xt=!1,zt=!1;const ht=new Ze,ln=new L,Et=new pt,$t={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0};let Yt=!1;function Zt(){return te===null?ge:1}let U=n;function jt(w,N){return t.getContext(w,N)}let ot,lt,de,St,Re,De,R,b,G,ne,J,re,he,$,j,oe,D,K,q,le,se,ae,Ee;try{const w={alpha:!0,depth:s,stencil:r,antialias:o,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in t&&t.setAttribute("data-engine","three.js r187"),t.addEventListener("webglcontextlost",Te,!1),t.addEventListener("webglcontextrestored",Be,!1),t.addEventListener("webglcontextcreationerror",fe,!1),U===null){const N="webgl2";if(U=jt(N,w),U===null)throw jt(N)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}ke()}catch(w){throw t.removeEventListener("webglcontextlost",Te,!1),t.removeEventListener("webglcontextrestored",Be,!1),t.removeEventListener("webglcontextcreationerror",fe,!1),je("WebGLRenderer: "+w.message),w}function ke(){ot=new fd(U),ot.init(),se=new tp(U,ot),lt=new nd(U,ot,e,se),de=new Qf(U,ot),lt.reversedDepthBuffer&&d&&de.buffers.depth.setReversed(!0),X=U.createFramebuffer(),I=U.createFramebuffer(),z=U.createFramebuffer(),St=new gd(U),Re=new kf,De=new ep(U,ot,de,Re,lt,se,St),R=new dd(C),b=new vc(U),ae=new ed(U,b),G=new pd(U,b,St,ae),ne=new vd(U,G,b,ae,St),K=new _d(U,lt,De),j=new id(Re),J=new Bf(C,R,ot,lt,ae,j),re=new op(C,Re),he=new Gf,$=new $f(ot),D=new Qu(C,R,de,ne,m,l),oe=new Jf(C,ne,lt),Ee=new lp(U,St,lt,de),q=new td(U,ot,St),le=new md(U,ot,St),St.programs=J.programs,C.capabilities=lt,C.extensions=ot,C.properties=Re,C.renderLists=he,C.shadowMap=oe,C.state=de,C.info=St}v!==1009&&(P=new Sd(v,t.width,t.height,o,s,r));const ie=new rp(C,U);this.xr=ie,this.getContext=function(){return U},this.getContextAttributes=function(){return U.getContextAttributes()},this.forceContextLoss=function(){const w=ot.get("WEBGL_lose_context");w&&w.loseContext()},this.forceContextRestore=function(){const w=ot.get("WEBGL_lose_context");w&&w.restoreContext()},this.getPixelRatio=function(){return ge},this.setPixelRatio=function(w){w!==void 0&&(ge=w,this.setSize(Me,Ae,!1))},this.getSize=function(w){return w.set(Me,Ae)},this.setSize=function(w,N,W=!0){if(ie.isPresenting){Pe("WebGLRenderer: Can't change size while VR device is presenting.");return}Me=w,Ae=N,t.width=Math.floor(w*ge),t.height=Math.floor(N*ge),W===!0&&(t.style.width=w+"px",t.style.height=N+"px"),P!==null&&P.setSize(t.width,t.height),this.setViewport(0,0,w,N)},this.getDrawingBufferSize=function(w){return w.set(Me*ge,Ae*ge).floor()},this.setDrawingBufferSize=function(w,N,W){Me=w,Ae=N,ge=W,t.width=Math.floor(w*W),t.height=Math.floor(N*W),this.setViewport(0,0,w,N)},this.setEffects=function(w){if(v===1009){je("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(w){for(let N=0;N<w.length;N++)if(w[N].isOutputPass===!0){Pe("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}P.setEffects(w||[])},this.getCurrentViewport=function(w){return w.copy(ee)},this.getViewport=function(w){return w.copy(Ce)},this.setViewport=function(w,N,W,k){w.isVector4?Ce.set(w.x,w.y,w.z,w.w):Ce.set(w,N,W,k),de.viewport(ee.copy(Ce).multiplyScalar(Zt()).round())},this.getScissor=function(w){return w.copy(Je)},this.setScissor=function(w,N,W,k){w.isVector4?Je.set(w.x,w.y,w.z,w.w):Je.set(w,N,W,k),de.scissor(xe.copy(Je).multiplyScalar(Zt()).round())},this.getScissorTest=function(){return nt},this.setScissorTest=function(w){de.setScissorTest(nt=w)},this.setOpaqueSort=function(w){Fe=w},this.setTransparentSort=function(w){gt=w},this.getClearColor=function(w){return w.copy(D.getClearColor())},this.setClearColor=function(){D.setClearColor(...arguments)},this.getClearAlpha=function(){return D.getClearAlpha()},this.setClearAlpha=function(){D.setClearAlpha(...arguments)},this.clear=function(w=!0,N=!0,W=!0){let k=0;if(w){let H=!1;if(te!==null){const ue=te.texture.format;H=g.has(ue)}if(H){const ue=te.texture.type,Se=p.has(ue),ce=D.getClearColor(),_e=D.getClearAlpha(),we=ce.r,Ne=ce.g,He=ce.b;Se?(S[0]=we,S[1]=Ne,S[2]=He,S[3]=_e,U.clearBufferuiv(U.COLOR,0,S)):(E[0]=we,E[1]=Ne,E[2]=He,E[3]=_e,U.clearBufferiv(U.COLOR,0,E))}else k|=U.COLOR_BUFFER_BIT}N&&(k|=U.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),W&&(k|=U.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),k!==0&&U.clear(k)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(w){w.setRenderer(this),O=w},this.dispose=function(){t.removeEventListener("webglcontextlost",Te,!1),t.removeEventListener("webglcontextrestored",Be,!1),t.removeEventListener("webglcontextcreationerror",fe,!1),D.dispose(),he.dispose(),$.dispose(),De.dispose(),Re.dispose(),R.dispose(),ne.dispose(),G.dispose(),ae.dispose(),Ee.dispose(),J.dispose(),ie.dispose(),ie.removeEventListener("sessionstart",ea),ie.removeEventListener("sessionend",ta),zn.stop()};function Te(w){w.preventDefault(),ua("WebGLRenderer: Context Lost."),F=!0}function Be(){ua("WebGLRenderer: Context Restored."),F=!1;const w=St.autoReset,N=oe.enabled,W=oe.autoUpdate,k=oe.needsUpdate,H=oe.type;ke(),St.autoReset=w,oe.enabled=N,oe.autoUpdate=W,oe.needsUpdate=k,oe.type=H}function fe(w){je("WebGLRenderer: A WebGL context could not be created. Reason: ",w.statusMessage)}function Qe(w){const N=w.target;N.removeEventListener("dispose",Qe),Tt(N)}function Tt(w){An(w),Re.remove(w)}function An(w){const N=Re.get(w).programs;N!==void 0&&(N.forEach(function(W){J.releaseProgram(W)}),w.isShaderMaterial&&J.releaseShaderCache(w))}this.renderBufferDirect=function(w,N,W,k,H,ue){N===null&&(N=$t);const Se=H.isMesh&&H.matrixWorld.determinantAffine()<0,ce=wl(w,N,W,k,H);de.setMaterial(k,Se);let _e=W.index,we=1;if(k.wireframe===!0){if(_e=G.getWireframeAttribute(W),_e===void 0)return;we=2}const Ne=W.drawRange,He=W.attributes.position;let ye=Ne.start*we,Ve=(Ne.start+Ne.count)*we;ue!==null&&(ye=Math.max(ye,ue.start*we),Ve=Math.min(Ve,(ue.start+ue.count)*we)),_e!==null?(ye=Math.max(ye,0),Ve=Math.min(Ve,_e.count)):He!=null&&(ye=Math.max(ye,0),Ve=Math.min(Ve,He.count));const _t=Ve-ye;if(_t<0||_t===1/0)return;ae.setup(H,k,ce,W,_e);let rt,it=q;if(_e!==null&&(rt=b.get(_e),it=le,it.setIndex(rt)),H.isMesh)k.wireframe===!0?(de.setLineWidth(k.wireframeLinewidth*Zt()),it.setMode(U.LINES)):it.setMode(U.TRIANGLES);else if(H.isLine){let Lt=k.linewidth;Lt===void 0&&(Lt=1),de.setLineWidth(Lt*Zt()),H.isLineSegments?it.setMode(U.LINES):H.isLineLoop?it.setMode(U.LINE_LOOP):it.setMode(U.LINE_STRIP)}else H.isPoints?it.setMode(U.POINTS):H.isSprite&&it.setMode(U.TRIANGLES);if(H.isBatchedMesh)if(ot.get("WEBGL_multi_draw"))it.renderMultiDraw(H._multiDrawStarts,H._multiDrawCounts,H._multiDrawCount);else{const Lt=H._multiDrawStarts,be=H._multiDrawCounts,Bt=H._multiDrawCount,Ke=_e?b.get(_e).bytesPerElement:1,Gn=Re.get(k).currentProgram.getUniforms();for(let Dt=0;Dt<Bt;Dt++)Gn.setValue(U,"_gl_DrawID",Dt),it.render(Lt[Dt]/Ke,be[Dt])}else if(H.isInstancedMesh)it.renderInstances(ye,_t,H.count);else if(W.isInstancedBufferGeometry){const Lt=W._maxInstanceCount!==void 0?W._maxInstanceCount:1/0,be=Math.min(W.instanceCount,Lt);it.renderInstances(ye,_t,be)}else it.render(ye,_t)};function Qr(w,N,W,k){O!==null&&w.isNodeMaterial&&O.setObject(k,w),xt===!0&&j.setState(w,W,!1),w.transparent===!0&&w.side===2&&w.forceSinglePass===!1?(w.side=1,w.needsUpdate=!0,yi(w,N,k),w.side=0,w.needsUpdate=!0,yi(w,N,k),w.side=2):yi(w,N,k)}this.compile=function(w,N,W=null){W===null&&(W=w),O!==null&&O.renderStart(w,N,W),A=$.get(W),A.init(N),y.push(A),W.traverseVisible(function(H){H.isLight&&H.layers.test(N.layers)&&(A.pushLight(H),H.castShadow&&A.pushShadow(H))}),w!==W&&w.traverseVisible(function(H){H.isLight&&H.layers.test(N.layers)&&(A.pushLight(H),H.castShadow&&A.pushShadow(H))}),A.setupLights(),O!==null&&O.updateLights(A.state.lightsArray),zt=this.localClippingEnabled,xt=j.init(this.clippingPlanes,zt),xt===!0&&j.setGlobalState(this.clippingPlanes,N),O!==null&&oe.render(A.state.shadowsArray,W,N);const k=new Set;return w.traverse(function(H){if(!(H.isMesh||H.isPoints||H.isLine||H.isSprite))return;const ue=H.material;if(ue)if(Array.isArray(ue))for(let Se=0;Se<ue.length;Se++){const ce=ue[Se];Qr(ce,W,N,H),k.add(ce)}else Qr(ue,W,N,H),k.add(ue)}),A=y.pop(),O!==null&&O.renderEnd(),k},this.compileAsync=function(w,N,W=null){const k=this.compile(w,N,W);return new Promise(H=>{function ue(){if(k.forEach(function(Se){const _e=Re.get(Se).currentProgram;(_e===void 0||_e.isReady())&&k.delete(Se)}),k.size===0){H(w);return}setTimeout(ue,10)}ot.get("KHR_parallel_shader_compile")!==null?ue():setTimeout(ue,10)})};let tr=null;function yl(w){tr&&tr(w)}function ea(){zn.stop()}function ta(){zn.start()}const zn=new Zo;zn.setAnimationLoop(yl),typeof self<"u"&&zn.setContext(self),this.setAnimationLoop=function(w){tr=w,ie.setAnimationLoop(w),w===null?zn.stop():zn.start()},ie.addEventListener("sessionstart",ea),ie.addEventListener("sessionend",ta),this.render=function(w,N){if(N!==void 0&&N.isCamera!==!0){je("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(F===!0)return;O!==null&&O.renderStart(w,N);const W=ie.enabled===!0&&ie.isPresenting===!0,k=P!==null&&(te===null||W)&&P.begin(C,te);if(w.matrixWorldAutoUpdate===!0&&w.updateMatrixWorld(),N.parent===null&&N.matrixWorldAutoUpdate===!0&&N.updateMatrixWorld(),ie.enabled===!0&&ie.isPresenting===!0&&(P===null||P.isCompositing()===!1)&&(ie.cameraAutoUpdate===!0&&ie.updateCamera(N),N=ie.getCamera()),w.isScene===!0&&w.onBeforeRender(C,w,N,te),A=$.get(w,y.length),A.init(N),A.state.textureUnits=De.getTextureUnits(),y.push(A),ht.multiplyMatrices(N.projectionMatrix,N.matrixWorldInverse),N.isArrayCamera?Ct.setFromArrayCamera(N):Ge.setFromProjectionMatrix(ht,2e3,N.reversedDepth),zt=this.localClippingEnabled,xt=j.init(this.clippingPlanes,zt),T=he.get(w,_.length),T.init(),_.push(T),this.info.render.frame++,ie.enabled===!0&&ie.isPresenting===!0){const Se=C.xr.getDepthSensingMesh();Se!==null&&nr(Se,N,-1/0,C.sortObjects)}nr(w,N,0,C.sortObjects),T.finish(),O!==null&&O.updateLights(A.state.lightsArray),C.sortObjects===!0&&T.sort(Fe,gt),Yt=ie.enabled===!1||ie.isPresenting===!1||ie.hasDepthSensing()===!1,Yt&&D.addToRenderList(T,w),this.info.autoReset===!0&&this.info.reset(),xt===!0&&j.beginShadows();const H=A.state.shadowsArray;if(oe.render(H,w,N),xt===!0&&j.endShadows(),(k&&P.hasRenderPass())===!1){const Se=T.opaque,ce=T.transmissive;if(A.setupLights(),N.isArrayCamera){const _e=N.cameras;if(ce.length>0)for(let we=0,Ne=_e.length;we<Ne;we++){const He=_e[we];ia(Se,ce,w,He)}Yt&&D.render(w);for(let we=0,Ne=_e.length;we<Ne;we++){const He=_e[we];na(T,w,He,He.viewport)}}else ce.length>0&&ia(Se,ce,w,N),Yt&&D.render(w),na(T,w,N)}te!==null&&B===0&&(De.updateMultisampleRenderTarget(te),De.updateRenderTargetMipmap(te)),k&&P.end(C),w.isScene===!0&&w.onAfterRender(C,w,N),ae.resetDefaultState(),V=-1,Q=null,y.pop(),y.length>0?(A=y[y.length-1],De.setTextureUnits(A.state.textureUnits),xt===!0&&j.setGlobalState(C.clippingPlanes,A.state.camera)):A=null,_.pop(),_.length>0?T=_[_.length-1]:T=null,O!==null&&O.renderEnd()};function nr(w,N,W,k){if(w.visible===!1)return;if(w.layers.test(N.layers)){if(w.isGroup)W=w.renderOrder;else if(w.isLOD)w.autoUpdate===!0&&w.update(N);else if(w.isLight)A.pushLight(w),w.castShadow&&A.pushShadow(w);else if(w.isSprite){const Se=N.isArrayCamera?Ct:Ge;if(!w.frustumCulled||w.intersectsFrustum(Se)){k&&Et.setFromMatrixPosition(w.matrixWorld).applyMatrix4(ht);const ce=ne.update(w),_e=w.material;_e.visible&&T.push(w,ce,_e,W,Et.z,null,N)}}else if(w.isMesh||w.isLine||w.isPoints){const Se=N.isArrayCamera?Ct:Ge;if(!w.frustumCulled||w.intersectsFrustum(Se)){const ce=ne.update(w),_e=w.material;if(k&&(w.boundingSphere!==void 0?(w.boundingSphere===null&&w.computeBoundingSphere(),Et.copy(w.boundingSphere.center)):(ce.boundingSphere===null&&ce.computeBoundingSphere(),Et.copy(ce.boundingSphere.center)),Et.applyMatrix4(w.matrixWorld).applyMatrix4(ht)),Array.isArray(_e)){const we=ce.groups;for(let Ne=0,He=we.length;Ne<He;Ne++){const ye=we[Ne],Ve=_e[ye.materialIndex];Ve&&Ve.visible&&T.push(w,ce,Ve,W,Et.z,ye,N)}}else _e.visible&&T.push(w,ce,_e,W,Et.z,null,N)}}}const ue=w.children;for(let Se=0,ce=ue.length;Se<ce;Se++)nr(ue[Se],N,W,k)}function na(w,N,W,k){const{opaque:H,transmissive:ue,transparent:Se}=w;A.setupLightsView(W),xt===!0&&j.setGlobalState(C.clippingPlanes,W),k&&de.viewport(ee.copy(k)),H.length>0&&Xi(H,N,W),ue.length>0&&Xi(ue,N,W),Se.length>0&&Xi(Se,N,W),de.buffers.depth.setTest(!0),de.buffers.depth.setMask(!0),de.buffers.color.setMask(!0),de.setPolygonOffset(!1)}function ia(w,N,W,k){if((W.isScene===!0?W.overrideMaterial:null)!==null)return;if(A.state.transmissionRenderTarget[k.id]===void 0){const ye=ot.has("EXT_color_buffer_half_float")||ot.has("EXT_color_buffer_float");A.state.transmissionRenderTarget[k.id]=new pn(1,1,{generateMipmaps:!0,type:ye?1016:1009,minFilter:1008,samples:Math.max(4,lt.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:We.workingColorSpace})}const ue=A.state.transmissionRenderTarget[k.id],Se=k.viewport||ee;ue.setSize(Se.z*C.transmissionResolutionScale,Se.w*C.transmissionResolutionScale);const ce=C.getRenderTarget(),_e=C.getActiveCubeFace(),we=C.getActiveMipmapLevel();C.setRenderTarget(ue),C.getClearColor(Z),me=C.getClearAlpha(),me<1&&C.setClearColor(16777215,.5),C.clear(),Yt&&D.render(W);const Ne=C.toneMapping;C.toneMapping=0;const He=k.viewport;if(k.viewport!==void 0&&(k.viewport=void 0),A.setupLightsView(k),xt===!0&&j.setGlobalState(C.clippingPlanes,k),Xi(w,W,k),De.updateMultisampleRenderTarget(ue),De.updateRenderTargetMipmap(ue),ot.has("WEBGL_multisampled_render_to_texture")===!1){let ye=!1;for(let Ve=0,_t=N.length;Ve<_t;Ve++){const rt=N[Ve],{object:it,geometry:Lt,material:be,group:Bt}=rt;if(be.side===2&&it.layers.test(k.layers)){const Ke=be.side;be.side=1,be.needsUpdate=!0,sa(it,W,k,Lt,be,Bt),be.side=Ke,be.needsUpdate=!0,ye=!0}}ye===!0&&(De.updateMultisampleRenderTarget(ue),De.updateRenderTargetMipmap(ue))}C.setRenderTarget(ce,_e,we),C.setClearColor(Z,me),He!==void 0&&(k.viewport=He),C.toneMapping=Ne}function Xi(w,N,W){const k=N.isScene===!0?N.overrideMaterial:null;for(let H=0,ue=w.length;H<ue;H++){const Se=w[H],{object:ce,geometry:_e,group:we}=Se;let Ne=Se.material;Ne.allowOverride===!0&&k!==null&&(Ne=k),ce.layers.test(W.layers)&&sa(ce,N,W,_e,Ne,we)}}function sa(w,N,W,k,H,ue){O!==null&&H.isNodeMaterial&&O.setObject(w,H),w.onBeforeRender(C,N,W,k,H,ue),w.modelViewMatrix.multiplyMatrices(W.matrixWorldInverse,w.matrixWorld),w.normalMatrix.getNormalMatrix(w.modelViewMatrix),H.onBeforeRender(C,N,W,k,w,ue),H.transparent===!0&&H.side===2&&H.forceSinglePass===!1?(H.side=1,H.needsUpdate=!0,C.renderBufferDirect(W,N,k,H,w,ue),H.side=0,H.needsUpdate=!0,C.renderBufferDirect(W,N,k,H,w,ue),H.side=2):C.renderBufferDirect(W,N,k,H,w,ue),w.onAfterRender(C,N,W,k,H,ue)}function ra(w){let N=0;for(const W of w)W.texture!==null&&N++;return N}function yi(w,N,W){N.isScene!==!0&&(N=$t);const k=Re.get(w),H=A.state.lights,ue=A.state.shadowsArray,Se=H.state.version,ce=J.getParameters(w,H.state,ue,N,W,A.state.lightProbeGridArray),_e=J.getProgramCacheKey(ce);let we=k.programs;k.environment=w.isMeshStandardMaterial||w.isMeshLambertMaterial||w.isMeshPhongMaterial?N.environment:null,k.fog=N.fog;const Ne=w.isMeshStandardMaterial||w.isMeshLambertMaterial&&!w.envMap||w.isMeshPhongMaterial&&!w.envMap;k.envMap=R.get(w.envMap||k.environment,Ne),k.envMapRotation=k.environment!==null&&w.envMap===null?N.environmentRotation:w.envMapRotation,we===void 0&&(w.addEventListener("dispose",Qe),we=new Map,k.programs=we,k.programVariants=new Map);let He=we.get(_e);if(He!==void 0){if(k.currentProgram===He&&k.lightsStateVersion===Se)return oa(w,ce),He}else ce.uniforms=J.getUniforms(w),O!==null&&w.isNodeMaterial&&O.build(w,W,ce),w.onBeforeCompile(ce,C),He=J.acquireProgram(ce,_e),we.set(_e,He),k.uniforms=ce.uniforms;const ye=k.uniforms;return(!w.isShaderMaterial&&!w.isRawShaderMaterial||w.clipping===!0)&&(ye.clippingPlanes=j.uniform),oa(w,ce),k.needsLights=Tl(w),k.lightsStateVersion=Se,k.needsLights&&(ye.ambientLightColor.value=H.state.ambient,ye.lightProbe.value=H.state.probe,ye.sunLights.value=H.state.sun,ye.sunLightShadows.value=H.state.sunShadow,ye.directionalLights.value=H.state.directional,ye.directionalLightShadows.value=H.state.directionalShadow,ye.spotLights.value=H.state.spot,ye.spotLightShadows.value=H.state.spotShadow,ye.rectAreaLights.value=H.state.rectArea,ye.ltc_1.value=H.state.rectAreaLTC1,ye.ltc_2.value=H.state.rectAreaLTC2,ye.pointLights.value=H.state.point,ye.pointLightShadows.value=H.state.pointShadow,ye.hemisphereLights.value=H.state.hemi,ye.sunShadowMatrix.value=H.state.sunShadowMatrix,ye.sunShadowCascade.value=H.state.sunShadowCascade,ye.directionalShadowMatrix.value=H.state.directionalShadowMatrix,ye.spotLightMatrix.value=H.state.spotLightMatrix,ye.spotLightMap.value=H.state.spotLightMap,ye.pointShadowMatrix.value=H.state.pointShadowMatrix),k.numLightProbeGrids=ra(A.state.lightProbeGridArray),k.currentProgram=He,k.uniformsList=null,He}function bl(w,N,W,k,H){const ue=Re.get(w),Se=ue.currentProgram.id+","+k+","+H;let ce=ue.programVariants.get(Se);return ce===void 0?(ce=yi(w,N,W),ue.programVariants.set(Se,ce)):(ue.currentProgram=ce,ue.uniformsList=null,ue.outputColorSpace=k,ue.toneMapping=H),ce}function aa(w){if(w.uniformsList===null){const N=w.currentProgram.getUniforms();w.uniformsList=Os.seqWithValue(N.seq,w.uniforms)}return w.uniformsList}function oa(w,N){const W=Re.get(w);W.outputColorSpace=N.outputColorSpace,W.batching=N.batching,W.batchingColor=N.batchingColor,W.instancing=N.instancing,W.instancingColor=N.instancingColor,W.instancingMorph=N.instancingMorph,W.skinning=N.skinning,W.morphTargets=N.morphTargets,W.morphNormals=N.morphNormals,W.morphColors=N.morphColors,W.morphTargetsCount=N.morphTargetsCount,W.numClippingPlanes=N.numClippingPlanes,W.numIntersection=N.numClipIntersection,W.vertexAlphas=N.vertexAlphas,W.vertexTangents=N.vertexTangents,W.toneMapping=N.toneMapping}function wl(w,N,W,k,H){N.isScene!==!0&&(N=$t),De.resetTextureUnits();const ue=N.fog,Se=k.isMeshStandardMaterial||k.isMeshLambertMaterial||k.isMeshPhongMaterial?N.environment:null,ce=te===null?C.outputColorSpace:te.isXRRenderTarget===!0?te.texture.colorSpace:We.workingColorSpace,_e=k.isMeshStandardMaterial||k.isMeshLambertMaterial&&!k.envMap||k.isMeshPhongMaterial&&!k.envMap,we=R.get(k.envMap||Se,_e),Ne=k.vertexColors===!0&&!!W.attributes.color&&W.attributes.color.itemSize===4,He=!!W.attributes.tangent&&(!!k.normalMap||k.anisotropy>0),ye=!!W.morphAttributes.position,Ve=!!W.morphAttributes.normal,_t=!!W.morphAttributes.color;let rt=0;k.toneMapped&&(te===null||te.isXRRenderTarget===!0)&&(rt=C.toneMapping);const it=W.morphAttributes.position||W.morphAttributes.normal||W.morphAttributes.color,Lt=it!==void 0?it.length:0,be=Re.get(k),Bt=A.state.lights;if(xt===!0&&(zt===!0||w!==Q)){const ut=w===Q&&k.id===V;j.setState(k,w,ut)}let Ke=!1,Gn=!1;k.version===be.__version?be.needsLights&&be.lightsStateVersion!==Bt.state.version||H.isBatchedMesh&&be.batching===!1||!H.isBatchedMesh&&be.batching===!0||H.isBatchedMesh&&be.batchingColor===!0&&H._colorsTexture===null||H.isBatchedMesh&&be.batchingColor===!1&&H._colorsTexture!==null||H.isInstancedMesh&&be.instancing===!1||!H.isInstancedMesh&&be.instancing===!0||H.isSkinnedMesh&&be.skinning===!1||!H.isSkinnedMesh&&be.skinning===!0||H.isInstancedMesh&&be.instancingColor===!0&&H.instanceColor===null||H.isInstancedMesh&&be.instancingColor===!1&&H.instanceColor!==null||H.isInstancedMesh&&be.instancingMorph===!0&&H.morphTexture===null||H.isInstancedMesh&&be.instancingMorph===!1&&H.morphTexture!==null||be.envMap!==we||k.fog===!0&&be.fog!==ue||be.numClippingPlanes!==void 0&&(be.numClippingPlanes!==j.numPlanes||be.numIntersection!==j.numIntersection)||be.vertexAlphas!==Ne||be.vertexTangents!==He||be.morphTargets!==ye||be.morphNormals!==Ve||be.morphColors!==_t||be.morphTargetsCount!==Lt||be.numLightProbeGrids!==ra(A.state.lightProbeGridArray)?Ke=!0:(be.outputColorSpace!==ce||be.toneMapping!==rt)&&(Gn=!0):(Ke=!0,be.__version=k.version);let Dt=be.currentProgram;(Ke===!0||Gn===!0)&&(Dt=Gn===!0?bl(k,N,H,ce,rt):yi(k,N,H),O&&k.isNodeMaterial&&O.onUpdateProgram(k,Dt,be));let qi=!1,Rn=!1,Hn=!1;const $e=Dt.getUniforms(),Pt=be.uniforms;if(de.useProgram(Dt.program)&&(qi=!0,Rn=!0,Hn=!0),k.id!==V&&(V=k.id,Rn=!0),qi||Q!==w){de.buffers.depth.getReversed()&&w.reversedDepth!==!0&&(w._reversedDepth=!0,w.updateProjectionMatrix()),$e.setValue(U,"projectionMatrix",w.projectionMatrix),$e.setValue(U,"viewMatrix",w.matrixWorldInverse);const At=$e.map.cameraPosition;At!==void 0&&At.setValue(U,ln.setFromMatrixPosition(w.matrixWorld)),lt.logarithmicDepthBuffer&&$e.setValue(U,"logDepthBufFC",2/(Math.log(w.far+1)/Math.LN2)),(k.isMeshPhongMaterial||k.isMeshToonMaterial||k.isMeshLambertMaterial||k.isMeshBasicMaterial||k.isMeshStandardMaterial||k.isShaderMaterial)&&$e.setValue(U,"isOrthographic",w.isOrthographicCamera===!0),Q!==w&&(Q=w,Rn=!0,Hn=!0)}if(be.needsLights&&(Bt.state.sunShadowMap.length>0&&$e.setValue(U,"sunShadowMap",Bt.state.sunShadowMap,De),Bt.state.directionalShadowMap.length>0&&$e.setValue(U,"directionalShadowMap",Bt.state.directionalShadowMap,De),Bt.state.spotShadowMap.length>0&&$e.setValue(U,"spotShadowMap",Bt.state.spotShadowMap,De),Bt.state.pointShadowMap.length>0&&$e.setValue(U,"pointShadowMap",Bt.state.pointShadowMap,De)),H.isSkinnedMesh){$e.setOptional(U,H,"bindMatrix"),$e.setOptional(U,H,"bindMatrixInverse");const ut=H.skeleton;ut&&(ut.boneTexture===null&&ut.computeBoneTexture(),$e.setValue(U,"boneTexture",ut.boneTexture,De))}H.isBatchedMesh&&($e.setOptional(U,H,"batchingTexture"),$e.setValue(U,"batchingTexture",H._matricesTexture,De),$e.setOptional(U,H,"batchingIdTexture"),$e.setValue(U,"batchingIdTexture",H._indirectTexture,De),$e.setOptional(U,H,"batchingColorTexture"),H._colorsTexture!==null&&$e.setValue(U,"batchingColorTexture",H._colorsTexture,De));const tn=W.morphAttributes;if((tn.position!==void 0||tn.normal!==void 0||tn.color!==void 0)&&K.update(H,W,Dt),(Rn||be.receiveShadow!==H.receiveShadow)&&(be.receiveShadow=H.receiveShadow,$e.setValue(U,"receiveShadow",H.receiveShadow)),(k.isMeshStandardMaterial||k.isMeshLambertMaterial||k.isMeshPhongMaterial)&&k.envMap===null&&N.environment!==null&&(Pt.envMapIntensity.value=N.environmentIntensity),Pt.dfgLUT!==void 0&&(Pt.dfgLUT.value=hp()),Rn){if($e.setValue(U,"toneMappingExposure",C.toneMappingExposure),be.needsLights&&El(Pt,Hn),ue&&k.fog===!0&&re.refreshFogUniforms(Pt,ue),re.refreshMaterialUniforms(Pt,k,ge,Ae,A.state.transmissionRenderTarget[w.id]),be.needsLights&&be.numLightProbeGrids>0){const ut=x;let At=0;for(const gn of A.state.lightProbeGridArray)gn.texture!==null&&(ut.textures[At]=gn.texture,ut.min[At]=gn.boundingBox.min,ut.max[At]=gn.boundingBox.max,ut.resolution[At]=gn.resolution,At++);for(const gn in ut)ut[gn].length=At;Pt.probesSH.value=ut.textures,Pt.probesMin.value=ut.min,Pt.probesMax.value=ut.max,Pt.probesResolution.value=ut.resolution}Os.upload(U,aa(be),Pt,De)}if(k.isShaderMaterial&&k.uniformsNeedUpdate===!0&&(Os.upload(U,aa(be),Pt,De),k.uniformsNeedUpdate=!1),k.isSpriteMaterial&&$e.setValue(U,"center",H.center),$e.setValue(U,"modelViewMatrix",H.modelViewMatrix),$e.setValue(U,"normalMatrix",H.normalMatrix),$e.setValue(U,"modelMatrix",H.matrixWorld),k.uniformsGroups!==void 0){const ut=k.uniformsGroups;for(let At=0,gn=ut.length;At<gn;At++){const ca=ut[At];Ee.update(ca,Dt),Ee.bind(ca,Dt)}}return Dt}function El(w,N){w.ambientLightColor.needsUpdate=N,w.lightProbe.needsUpdate=N,w.sunLights.needsUpdate=N,w.sunLightShadows.needsUpdate=N,w.directionalLights.needsUpdate=N,w.directionalLightShadows.needsUpdate=N,w.pointLights.needsUpdate=N,w.pointLightShadows.needsUpdate=N,w.spotLights.needsUpdate=N,w.spotLightShadows.needsUpdate=N,w.rectAreaLights.needsUpdate=N,w.hemisphereLights.needsUpdate=N}function Tl(w){return w.isMeshLambertMaterial||w.isMeshToonMaterial||w.isMeshPhongMaterial||w.isMeshStandardMaterial||w.isShadowMaterial||w.isShaderMaterial&&w.lights===!0}this.getActiveCubeFace=function(){return Y},this.getActiveMipmapLevel=function(){return B},this.getRenderTarget=function(){return te},this.setRenderTargetTextures=function(w,N,W){const k=Re.get(w);k.__autoAllocateDepthBuffer=w.resolveDepthBuffer===!1,k.__autoAllocateDepthBuffer===!1&&(k.__useRenderToTexture=!1),Re.get(w.texture).__webglTexture=N,Re.get(w.depthTexture).__webglTexture=k.__autoAllocateDepthBuffer?void 0:W,k.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(w,N){const W=Re.get(w);W.__webglFramebuffer=N,W.__useDefaultFramebuffer=N===void 0},this.setRenderTarget=function(w,N=0,W=0){te=w,Y=N,B=W;let k=null,H=!1,ue=!1;if(w){const ce=Re.get(w);if(ce.__useDefaultFramebuffer!==void 0){de.bindFramebuffer(U.FRAMEBUFFER,ce.__webglFramebuffer),ee.copy(w.viewport),xe.copy(w.scissor),Le=w.scissorTest,de.viewport(ee),de.scissor(xe),de.setScissorTest(Le),V=-1;return}else if(ce.__webglFramebuffer===void 0)De.setupRenderTarget(w);else if(ce.__hasExternalTextures)De.rebindTextures(w,Re.get(w.texture).__webglTexture,Re.get(w.depthTexture).__webglTexture);else if(w.depthBuffer){const Ne=w.depthTexture;if(ce.__boundDepthTexture!==Ne){if(Ne!==null&&Re.has(Ne)&&(w.width!==Ne.image.width||w.height!==Ne.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");De.setupDepthRenderbuffer(w)}}const _e=w.texture;(_e.isData3DTexture||_e.isDataArrayTexture||_e.isCompressedArrayTexture)&&(ue=!0);const we=Re.get(w).__webglFramebuffer;w.isWebGLCubeRenderTarget?(Array.isArray(we[N])?k=we[N][W]:k=we[N],H=!0):w.samples>0&&De.useMultisampledRTT(w)===!1?k=Re.get(w).__webglMultisampledFramebuffer:Array.isArray(we)?k=we[W]:k=we,ee.copy(w.viewport),xe.copy(w.scissor),Le=w.scissorTest}else ee.copy(Ce).multiplyScalar(ge).floor(),xe.copy(Je).multiplyScalar(ge).floor(),Le=nt;if(W!==0&&(k=X),de.bindFramebuffer(U.FRAMEBUFFER,k)&&de.drawBuffers(w,k),de.viewport(ee),de.scissor(xe),de.setScissorTest(Le),H){const ce=Re.get(w.texture);U.framebufferTexture2D(U.FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_CUBE_MAP_POSITIVE_X+N,ce.__webglTexture,W)}else if(ue){const ce=N;for(let _e=0;_e<w.textures.length;_e++){const we=Re.get(w.textures[_e]);U.framebufferTextureLayer(U.FRAMEBUFFER,U.COLOR_ATTACHMENT0+_e,we.__webglTexture,W,ce)}}else if(w!==null&&W!==0){const ce=Re.get(w.texture);U.framebufferTexture2D(U.FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_2D,ce.__webglTexture,W)}V=-1};function la(w){const N=Re.get(w);return(N.__readFormat!==w.format||N.__readType!==w.type)&&(N.__readFormat=w.format,N.__readType=w.type,N.__formatReadable=lt.textureFormatReadable(w.format),N.__typeReadable=lt.textureTypeReadable(w.type)),N}this.readRenderTargetPixels=function(w,N,W,k,H,ue,Se,ce=0){if(!(w&&w.isWebGLRenderTarget)){je("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let _e=Re.get(w).__webglFramebuffer;if(w.isWebGLCubeRenderTarget&&Se!==void 0&&(_e=_e[Se],Array.isArray(_e)&&(_e=_e[0])),_e){de.bindFramebuffer(U.FRAMEBUFFER,_e);try{const we=w.textures[ce],Ne=we.format,He=we.type;w.textures.length>1&&U.readBuffer(U.COLOR_ATTACHMENT0+ce);const ye=la(we);if(ye.__formatReadable===!1){je("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(ye.__typeReadable===!1){je("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}N>=0&&N<=w.width-k&&W>=0&&W<=w.height-H&&U.readPixels(N,W,k,H,se.convert(Ne),se.convert(He),ue)}finally{const we=te!==null?Re.get(te).__webglFramebuffer:null;de.bindFramebuffer(U.FRAMEBUFFER,we)}}},this.readRenderTargetPixelsAsync=async function(w,N,W,k,H,ue,Se,ce=0){if(!(w&&w.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let _e=Re.get(w).__webglFramebuffer;if(w.isWebGLCubeRenderTarget&&Se!==void 0&&(_e=_e[Se],Array.isArray(_e)&&(_e=_e[0])),_e)if(N>=0&&N<=w.width-k&&W>=0&&W<=w.height-H){de.bindFramebuffer(U.FRAMEBUFFER,_e);const we=w.textures[ce],Ne=we.format,He=we.type;w.textures.length>1&&U.readBuffer(U.COLOR_ATTACHMENT0+ce);const ye=la(we);if(ye.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(ye.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");const Ve=U.createBuffer();U.bindBuffer(U.PIXEL_PACK_BUFFER,Ve),U.bufferData(U.PIXEL_PACK_BUFFER,ue.byteLength,U.STREAM_READ),U.readPixels(N,W,k,H,se.convert(Ne),se.convert(He),0),U.bindBuffer(U.PIXEL_PACK_BUFFER,null);const _t=te!==null?Re.get(te).__webglFramebuffer:null;de.bindFramebuffer(U.FRAMEBUFFER,_t);const rt=U.fenceSync(U.SYNC_GPU_COMMANDS_COMPLETE,0);return U.flush(),await Cl(U,rt,4),U.bindBuffer(U.PIXEL_PACK_BUFFER,Ve),U.getBufferSubData(U.PIXEL_PACK_BUFFER,0,ue),U.bindBuffer(U.PIXEL_PACK_BUFFER,null),U.deleteBuffer(Ve),U.deleteSync(rt),ue}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(w,N=null,W=0){const k=Math.pow(2,-W),H=Math.floor(w.image.width*k),ue=Math.floor(w.image.height*k),Se=N!==null?N.x:0,ce=N!==null?N.y:0;De.setTexture2D(w,0),U.copyTexSubImage2D(U.TEXTURE_2D,W,0,0,Se,ce,H,ue),de.unbindTexture()},this.copyTextureToTexture=function(w,N,W=null,k=null,H=0,ue=0){let Se,ce,_e,we,Ne,He,ye,Ve,_t;const rt=w.isCompressedTexture?w.mipmaps[ue]:w.image;if(W!==null)Se=W.max.x-W.min.x,ce=W.max.y-W.min.y,_e=W.isBox3?W.max.z-W.min.z:1,we=W.min.x,Ne=W.min.y,He=W.isBox3?W.min.z:0;else{const $e=Math.pow(2,-H);Se=Math.floor(rt.width*$e),ce=Math.floor(rt.height*$e),w.isDataArrayTexture?_e=rt.depth:w.isData3DTexture?_e=Math.floor(rt.depth*$e):_e=1,we=0,Ne=0,He=0}k!==null?(ye=k.x,Ve=k.y,_t=k.z):(ye=0,Ve=0,_t=0);const it=se.convert(N.format),Lt=se.convert(N.type);let be;N.isData3DTexture?(De.setTexture3D(N,0),be=U.TEXTURE_3D):N.isDataArrayTexture||N.isCompressedArrayTexture?(De.setTexture2DArray(N,0),be=U.TEXTURE_2D_ARRAY):(De.setTexture2D(N,0),be=U.TEXTURE_2D),de.activeTexture(U.TEXTURE0),de.pixelStorei(U.UNPACK_FLIP_Y_WEBGL,N.flipY),de.pixelStorei(U.UNPACK_PREMULTIPLY_ALPHA_WEBGL,N.premultiplyAlpha),de.pixelStorei(U.UNPACK_ALIGNMENT,N.unpackAlignment);const Bt=de.getParameter(U.UNPACK_ROW_LENGTH),Ke=de.getParameter(U.UNPACK_IMAGE_HEIGHT),Gn=de.getParameter(U.UNPACK_SKIP_PIXELS),Dt=de.getParameter(U.UNPACK_SKIP_ROWS),qi=de.getParameter(U.UNPACK_SKIP_IMAGES);de.pixelStorei(U.UNPACK_ROW_LENGTH,rt.width),de.pixelStorei(U.UNPACK_IMAGE_HEIGHT,rt.height),de.pixelStorei(U.UNPACK_SKIP_PIXELS,we),de.pixelStorei(U.UNPACK_SKIP_ROWS,Ne),de.pixelStorei(U.UNPACK_SKIP_IMAGES,He);const Rn=w.isDataArrayTexture||w.isData3DTexture,Hn=N.isDataArrayTexture||N.isData3DTexture;if(w.isDepthTexture){const $e=Re.get(w),Pt=Re.get(N),tn=Re.get($e.__renderTarget),ut=Re.get(Pt.__renderTarget);de.bindFramebuffer(U.READ_FRAMEBUFFER,tn.__webglFramebuffer),de.bindFramebuffer(U.DRAW_FRAMEBUFFER,ut.__webglFramebuffer);for(let At=0;At<_e;At++)Rn&&(U.framebufferTextureLayer(U.READ_FRAMEBUFFER,U.COLOR_ATTACHMENT0,Re.get(w).__webglTexture,H,He+At),U.framebufferTextureLayer(U.DRAW_FRAMEBUFFER,U.COLOR_ATTACHMENT0,Re.get(N).__webglTexture,ue,_t+At)),U.blitFramebuffer(we,Ne,we+Se,Ne+ce,ye,Ve,ye+Se,Ve+ce,U.DEPTH_BUFFER_BIT,U.NEAREST);de.bindFramebuffer(U.READ_FRAMEBUFFER,null),de.bindFramebuffer(U.DRAW_FRAMEBUFFER,null)}else if(H!==0||w.isRenderTargetTexture||Re.has(w)){const $e=Re.get(w),Pt=Re.get(N);de.bindFramebuffer(U.READ_FRAMEBUFFER,I),de.bindFramebuffer(U.DRAW_FRAMEBUFFER,z);for(let tn=0;tn<_e;tn++)Rn?U.framebufferTextureLayer(U.READ_FRAMEBUFFER,U.COLOR_ATTACHMENT0,$e.__webglTexture,H,He+tn):U.framebufferTexture2D(U.READ_FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_2D,$e.__webglTexture,H),Hn?U.framebufferTextureLayer(U.DRAW_FRAMEBUFFER,U.COLOR_ATTACHMENT0,Pt.__webglTexture,ue,_t+tn):U.framebufferTexture2D(U.DRAW_FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_2D,Pt.__webglTexture,ue),H!==0?U.blitFramebuffer(we,Ne,we+Se,Ne+ce,ye,Ve,ye+Se,Ve+ce,U.COLOR_BUFFER_BIT,U.NEAREST):Hn?U.copyTexSubImage3D(be,ue,ye,Ve,_t+tn,we,Ne,Se,ce):U.copyTexSubImage2D(be,ue,ye,Ve,we,Ne,Se,ce);de.bindFramebuffer(U.READ_FRAMEBUFFER,null),de.bindFramebuffer(U.DRAW_FRAMEBUFFER,null)}else Hn?w.isDataTexture||w.isData3DTexture?U.texSubImage3D(be,ue,ye,Ve,_t,Se,ce,_e,it,Lt,rt.data):N.isCompressedArrayTexture?U.compressedTexSubImage3D(be,ue,ye,Ve,_t,Se,ce,_e,it,rt.data):U.texSubImage3D(be,ue,ye,Ve,_t,Se,ce,_e,it,Lt,rt):w.isDataTexture?U.texSubImage2D(U.TEXTURE_2D,ue,ye,Ve,Se,ce,it,Lt,rt.data):w.isCompressedTexture?U.compressedTexSubImage2D(U.TEXTURE_2D,ue,ye,Ve,rt.width,rt.height,it,rt.data):U.texSubImage2D(U.TEXTURE_2D,ue,ye,Ve,Se,ce,it,Lt,rt);de.pixelStorei(U.UNPACK_ROW_LENGTH,Bt),de.pixelStorei(U.UNPACK_IMAGE_HEIGHT,Ke),de.pixelStorei(U.UNPACK_SKIP_PIXELS,Gn),de.pixelStorei(U.UNPACK_SKIP_ROWS,Dt),de.pixelStorei(U.UNPACK_SKIP_IMAGES,qi),ue===0&&N.generateMipmaps===!0&&N.mipmapsAutoUpdate===!0&&U.generateMipmap(be),de.unbindTexture()},this.initRenderTarget=function(w){Re.get(w).__webglFramebuffer===void 0&&De.setupRenderTarget(w)},this.initTexture=function(w){w.isCubeTexture?De.setTextureCube(w,0):w.isData3DTexture?De.setTexture3D(w,0):w.isDataArrayTexture||w.isCompressedArrayTexture?De.setTexture2DArray(w,0):De.setTexture2D(w,0),de.unbindTexture()},this.resetState=function(){Y=0,B=0,te=null,de.reset(),ae.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return 2e3}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;const t=this.getContext();t.drawingBufferColorSpace=We._getDrawingBufferColorSpace(e),t.unpackColorSpace=We._getUnpackColorSpace()}}const al=1;var Vt=(i=>(i[i.Mesh=1]="Mesh",i[i.Weights=2]="Weights",i[i.Rows=3]="Rows",i[i.Clip=4]="Clip",i[i.Texture=5]="Texture",i[i.Deformed=6]="Deformed",i[i.Voxels=7]="Voxels",i[i.Map=8]="Map",i[i.Thumbnail=9]="Thumbnail",i[i.Mirror=10]="Mirror",i))(Vt||{});class dp{constructor(e){this.buffer=e;const t=new DataView(e);if(t.getUint16(0,!0)!==al)throw new Error("the page is of another version than the studio; load it again");this.kind=t.getUint16(2,!0),this.serial=t.getUint32(4,!0),this.a=t.getUint32(8,!0),this.b=t.getUint32(12,!0)}kind;serial;a;b;at=16;f32(e){const t=new Float32Array(this.buffer,this.at,e);return this.at+=4*e,t}u32(e){const t=new Uint32Array(this.buffer,this.at,e);return this.at+=4*e,t}bytes(e){const t=new Uint8Array(this.buffer,this.at,e);return this.at+=Math.ceil(e/4)*4,t}}const ys="ligament-secret";class fp{constructor(e){this.heard=e}socket=null;secret="";next=1;waiting=new Map;tries=0;async open(){const e=location.hash.slice(1);if(e){history.replaceState(null,"",location.pathname);const t=await fetch("/session",{method:"POST",body:e});if(t.ok)sessionStorage.setItem(ys,await t.text());else if(!sessionStorage.getItem(ys)){this.heard.lost(`This address was used already. ${Rr}`,!0);return}}if(this.secret=sessionStorage.getItem(ys)??"",!this.secret){this.heard.lost(`This tab has no key to the studio. ${Rr}`,!0);return}this.connect()}connect(){const e=new WebSocket(`ws://${location.host}/ws`);e.binaryType="arraybuffer",this.socket=e,e.onopen=()=>e.send(JSON.stringify({secret:this.secret,version:al})),e.onmessage=t=>{t.data instanceof ArrayBuffer?this.heard.frame(t.data):this.hear(t.data)},e.onclose=t=>this.closed(t)}hear(e){const t=JSON.parse(e),n=Object.keys(t)[0],s=t[n];if(n==="welcome")this.tries=0,this.heard.welcome(s);else if(n==="reply"){const{id:r,value:a}=s;this.waiting.get(r)?.done(a),this.waiting.delete(r)}else if(n==="error"){const{id:r,message:a}=s,o=r===null?void 0:this.waiting.get(r);o&&r!==null?(this.waiting.delete(r),o.failed(new Error(a))):this.heard.message("error",a)}else this.heard.message(n,s)}closed(e){this.socket=null;for(const t of this.waiting.values())t.failed(new Error("the studio is not there"));if(this.waiting.clear(),e.code===1008||e.code===1002){sessionStorage.removeItem(ys),this.heard.lost(`The studio was started again. ${Rr}`,!0);return}this.tries+=1,this.heard.lost("The studio does not answer. Is it still running in its terminal?",!1),setTimeout(()=>this.connect(),Math.min(4e3,250*this.tries))}ask(e,t,n){const s=this.next++;return n?.(s),new Promise((r,a)=>{if(this.socket?.readyState!==WebSocket.OPEN){a(new Error("the studio is not there"));return}this.waiting.set(s,{done:r,failed:a}),this.socket.send(JSON.stringify(t===void 0?{id:s,do:e}:{id:s,base:t,do:e}))})}async drop(e){let t="new";const n=[];for(const s of e){const r=await fetch(`/drop/${t}`,{method:"POST",headers:{"x-ligament-secret":this.secret,"x-ligament-name":encodeURIComponent(s.name)},body:s});if(!r.ok)throw new Error(r.status===413?`${s.name} is too large (512 MB at most)`:await r.text());const a=await r.json();t=a.folder,a.item&&n.push(a.item)}return n}}const Rr="Open the address that the studio printed last in its terminal.",on=10;class pp{count;parents;rest;inverse;places;constructor(e){this.count=e.joints.length,this.parents=Int32Array.from(e.joints,t=>t.parent??-1),this.rest=Float32Array.from(e.joints.flatMap(t=>t.rest)),this.inverse=new Float64Array(12*this.count),this.places=new Float64Array(3*this.count),e.joints.forEach((t,n)=>{ho(t.bind,this.inverse,12*n),this.places.set(t.bind.slice(9,12),3*n)})}moveTo(e){const t=new Float32Array(3*this.count);return e.forEach((n,s)=>{for(let r=0;r<3;r++)t[3*s+r]=n.rest[r]-this.rest[on*s+r];this.rest.set(n.rest,on*s),ho(n.bind,this.inverse,12*s),this.places.set(n.bind.slice(9,12),3*s)}),t}turned(e){const t=this.rest.slice();for(const n of e)t.set(n.translation,on*n.joint),t.set(n.rotation,on*n.joint+3);return t}turns(e){const t=[];for(let n=0;n<this.count;n++){const s=on*n;let r=!1;for(let a=0;a<7;a++)r||=Math.abs(e[s+a]-this.rest[s+a])>1e-6;r&&t.push({joint:n,rotation:[e[s+3],e[s+4],e[s+5],e[s+6]],translation:[e[s],e[s+1],e[s+2]]})}return t}world(e,t){const n=new Float64Array(12);for(let s=0;s<this.count;s++){mp(e,on*s,n);const r=this.parents[s];r<0?t.set(n,12*s):ol(t,12*r,n,0,t,12*s)}}}function mp(i,e,t){const[n,s,r,a,o,l,c,h,u,d]=i.subarray(e,e+on),f=a*a+o*o+l*l+c*c,m=f>0?2/f:0;t[0]=(1-m*(o*o+l*l))*h,t[1]=m*(a*o+l*c)*h,t[2]=m*(a*l-o*c)*h,t[3]=m*(a*o-l*c)*u,t[4]=(1-m*(a*a+l*l))*u,t[5]=m*(o*l+a*c)*u,t[6]=m*(a*l+o*c)*d,t[7]=m*(o*l-a*c)*d,t[8]=(1-m*(a*a+o*o))*d,t[9]=n,t[10]=s,t[11]=r}function ol(i,e,t,n,s,r){const a=new Array(12);for(let o=0;o<4;o++){const l=t[n+3*o],c=t[n+3*o+1],h=t[n+3*o+2];for(let u=0;u<3;u++)a[3*o+u]=i[e+u]*l+i[e+3+u]*c+i[e+6+u]*h+(o===3?i[e+9+u]:0)}for(let o=0;o<12;o++)s[r+o]=a[o]}function Kn(i,e,t){const n=s=>i[e+s]*t[0]+i[e+3+s]*t[1]+i[e+6+s]*t[2]+i[e+9+s];return[n(0),n(1),n(2)]}function ho(i,e,t){const[n,s,r,a,o,l,c,h,u]=Array.from({length:9},(v,g)=>i[g]),d=n*(o*u-l*h)-a*(s*u-r*h)+c*(s*l-r*o),f=d===0?0:1/d,m=[(o*u-l*h)*f,(r*h-s*u)*f,(s*l-r*o)*f,(l*c-a*u)*f,(n*u-r*c)*f,(r*a-n*l)*f,(a*h-o*c)*f,(s*c-n*h)*f,(n*o-s*a)*f];for(let v=0;v<9;v++)e[t+v]=m[v];for(let v=0;v<3;v++)e[t+9+v]=-(m[v]*i[9]+m[3+v]*i[10]+m[6+v]*i[11])}function ll(i,e,t,n,s,r){for(let a=0;a<r.length;a+=on){for(const f of[0,1,2,7,8,9])r[a+f]=i[e+a+f]*(1-s)+t[n+a+f]*s;let o=0;for(let f=3;f<7;f++)o+=i[e+a+f]*t[n+a+f];const l=o<0?-1:1,c=Math.acos(Math.min(1,Math.abs(o))),h=Math.sin(c),u=h>1e-4?Math.sin((1-s)*c)/h:1-s,d=(h>1e-4?Math.sin(s*c)/h:s)*l;for(let f=3;f<7;f++)r[a+f]=i[e+a+f]*u+t[n+a+f]*d}}class gp{constructor(e,t,n){this.step=e,this.frames=t,this.poses=n}get seconds(){return this.step*(this.frames-1)}shift(e){for(let t=0,n=0;t<this.poses.length;t+=on,n=(n+1)%(e.length/3))for(let s=0;s<3;s++)this.poses[t+s]+=e[3*n+s]}at(e,t){const n=t.length,s=this.step>0?Math.min(Math.max(e/this.step,0),this.frames-1):0,r=Math.min(Math.floor(s),Math.max(0,this.frames-2)),a=Math.min(r+1,this.frames-1);ll(this.poses,r*n,this.poses,a*n,s-r,t)}}class at{constructor(e){this.current=e}listeners=new Set;get value(){return this.current}set value(e){if(!Object.is(e,this.current)){this.current=e;for(const t of this.listeners)t(e)}}each(e){this.listeners.add(e),e(this.current)}on(e){this.listeners.add(e)}}class _p{constructor(e,t){this.rig=e,this.wantClip=t,this.pose=e.rest.slice()}source=new at("pose");seconds=new at(0);playing=new at(!1);speed=new at(1);pose;motions=new Map;waiting=[];keys=[];hand=[];held=null;get duration(){const e=this.source.value;return e==="pose"?0:e==="keys"?this.keys.at(-1)?.seconds??0:this.motions.get(e.clip)?.seconds??0}get byHand(){return this.source.value==="pose"&&this.held===null}setMotion(e,t){this.motions.set(e,t),this.update();for(const n of this.waiting.splice(0))n()}ready(){const e=this.source.value;return typeof e!="object"||this.motions.has(e.clip)?Promise.resolve():new Promise(t=>this.waiting.push(t)).then(()=>this.ready())}shift(e){for(const t of this.motions.values())t.shift(e);this.update()}renew(){const e=this.source.value;for(const t of[...this.motions.keys()])typeof e=="object"&&e.clip===t?this.wantClip(t):this.motions.delete(t)}setState(e,t){this.hand=e,this.keys=t,this.update()}choose(e){this.held=null,this.seconds.value=0,this.source.value=e,typeof e=="object"&&!this.motions.has(e.clip)&&this.wantClip(e.clip),e==="pose"&&(this.playing.value=!1),this.update()}seek(e){this.held=null,this.seconds.value=Math.min(Math.max(0,e),this.duration),this.update()}toggle(){this.duration>0&&(this.held=null,this.playing.value=!this.playing.value)}hold(e){this.playing.value=!1,this.held=e,this.update()}advance(e){const t=this.duration;!this.playing.value||t<=0||(this.seconds.value=(this.seconds.value+e*this.speed.value)%t,this.update())}turn(e,t){this.byHand||(this.hand=this.rig.turns(this.pose),this.held=null,this.playing.value=!1,this.source.value="pose");const n=on*e,s=this.hand.filter(a=>a.joint!==e),r=[this.pose[n],this.pose[n+1],this.pose[n+2]];return this.hand=[...s,{joint:e,rotation:t,translation:r}].sort((a,o)=>a.joint-o.joint),this.update(),this.hand}get turns(){return this.hand}update(){const{pose:e,rig:t}=this,n=this.source.value;if(this.held)e.set(this.held);else if(n==="pose")e.set(t.turned(this.hand));else if(n==="keys")this.fromKeys();else{const s=this.motions.get(n.clip);s?s.at(this.seconds.value,e):e.set(t.rest)}}fromKeys(){const{keys:e,rig:t,pose:n}=this,s=this.seconds.value,r=e.findIndex(h=>h.seconds>=s),a=e[r===-1?e.length-1:r],o=e[Math.max(0,(r===-1?e.length:r)-1)];if(!a||!o){n.set(t.rest);return}const l=a.seconds-o.seconds,c=l>0?Math.min(1,Math.max(0,(s-o.seconds)/l)):0;ll(t.turned(o.turns),0,t.turned(a.turns),0,c,n)}}const vp={add:"Add to",replace:"Replace",scale:"Scale",relax:"Relax"},xp=200;class Sp{constructor(e){this.app=e,this.ring.className="brush-ring",this.ring.hidden=!0,e.viewer.root.append(this.ring),e.standing.on(()=>void this.fetch()),e.scene.on(()=>this.chosen.value=[]),this.chosen.on(()=>{this.fetch(),e.viewer.setChosen(this.chosen.value)}),this.brush.on(()=>this.drawRing());const t=e.viewer.panes[0];t.addEventListener("pointermove",n=>{const s=t.getBoundingClientRect();this.pointer=[n.clientX-s.left,n.clientY-s.top],this.drawRing()}),t.addEventListener("pointerleave",()=>this.ring.hidden=!0);for(const n of["keydown","keyup"])addEventListener(n,s=>{s.key==="Shift"&&this.drawRing(s.shiftKey)})}brush=new at({tool:"brush",mode:"add",replace:1,scale:.5,strength:.5,radius:.03,fillReach:1/0,through:!1,mirrored:!1});chosen=new at([]);table=new at([]);active=new at(!1);copied=null;stamped=[];ring=document.createElement("div");rays=[];last=null;stroke=null;busy=!1;ended=!1;sizing=null;pointer=[0,0];before=null;shownMode=null;change(e){this.brush.value={...this.brush.value,...e}}setActive(e){const{app:t}=this;if(e!==this.active.value){if(this.active.value=e,e){const n=t.viewer.look;this.before={coloring:n.coloring,bones:n.bones},t.setLook({coloring:"joint",bones:!1}),t.brushing.value={stamp:(s,r)=>this.move(s,r),begin:s=>this.begin(s),release:()=>this.release(),done:()=>this.chosen.value=[]}}else this.ring.hidden=!0,t.brushing.value=null,this.before&&t.setLook({coloring:this.before.coloring,bones:this.before.bones});t.viewer.setChosen(e?this.chosen.value:[])}}step(e,t){const{radius:n,strength:s}=this.brush.value;t?this.change({strength:Li(Math.round(20*(s+(e?.05:-.05)))/20,.05,1)}):this.change({radius:Li(n*(e?1.2:1/1.2),.003,.25)})}get size(){const e=this.app.viewer.skin?.box;return e?e.max.distanceTo(e.min):1}get joint(){return this.app.viewer.selected.value}get pixels(){const{orbit:e,panes:t}=this.app.viewer,n=this.app.picked.value?.place,{origin:s,direction:r}=e.ray(0,0),a=n&&!this.brush.value.through?new Mp(n).along(s,r):e.target.distanceTo(s);return this.brush.value.radius*this.size*e.pixelsPerUnit(a,t[0].clientHeight)}drawRing(e=!1){const t=this.active.value&&this.brush.value.tool!=="fill";if(this.ring.hidden=!t,!t)return;const n=this.pixels,[s,r]=this.sizing?[this.sizing.x,this.sizing.y]:this.pointer;this.ring.style.width=this.ring.style.height=`${2*n}px`,this.ring.style.left=`${s-n}px`,this.ring.style.top=`${r-n}px`,this.ring.style.setProperty("--strength",String(this.brush.value.strength)),this.ring.dataset.mode=this.shownMode??(e?"relax":this.brush.value.tool==="select"?"select":this.brush.value.mode)}begin(e){const{app:t}=this,{tool:n,mode:s,replace:r,scale:a}=this.brush.value;if(t.held.has("b")){const{radius:u,strength:d}=this.brush.value;return this.sizing={x:this.pointer[0],y:this.pointer[1],radius:u,strength:d},!0}if(n==="select")return e.shiftKey||(this.chosen.value=[]),!0;const o=e.shiftKey||s==="relax";if(!o&&this.joint===null)return t.toast({text:"Select the joint to paint first: in the list, or hold S and click the skin.",kind:"info"}),!0;const l=e.ctrlKey||e.metaKey,c={add:l?-1:1,replace:l?1-r:r,scale:l?1/Math.max(.01,a):a,relax:1},h=o?"relax":s;return this.stroke={mode:h,value:c[h]},this.shownMode=h,this.ended=!1,this.last=null,!0}move(e,t){const{app:n}=this;if(this.sizing){const d=this.pointer[0]-this.sizing.x,f=this.pointer[1]-this.sizing.y;this.change({radius:Li(this.sizing.radius*Math.exp(d/120),.003,.25),strength:Li(this.sizing.strength-f/200,.05,1)});return}const s=this.brush.value.tool;if(s==="select"){this.choose(e,t);return}if(s==="fill"){this.stroke&&!this.last&&this.fill(e,t),this.last=[e,t];return}if(!this.stroke)return;const r=n.viewer.panes[0],[a,o]=[r.clientWidth/2,r.clientHeight/2],[l,c]=this.last??[e,t],h=Math.hypot((e-l)*a,(t-c)*o),u=this.last?Math.min(60,Math.ceil(h/Math.max(3,this.pixels/3))):1;for(let d=1;d<=u;d++){const{origin:f,direction:m}=n.viewer.orbit.ray(l+(e-l)*d/u,c+(t-c)*d/u);this.rays.push([f.toArray(),m.toArray()])}this.last=[e,t],this.busy||this.send()}wire(){if(!this.stroke)return null;const{strength:e,mirrored:t}=this.brush.value;return{mode:this.stroke.mode,joint:this.joint??0,value:this.stroke.value,strength:e,mirrored:t}}reach(){const{radius:e,through:t}=this.brush.value,{orbit:n}=this.app.viewer,s=e*this.size;return!t||n.flat?{radius:s,cone:0,through:t}:{radius:0,cone:s/n.camera.position.distanceTo(n.target),through:t}}async send(){for(this.busy=!0;this.rays.length>0;){const e=this.rays.splice(0,xp),t=this.app.player?Array.from(this.app.player.pose):null,n=await this.app.tell({paint:{brush:this.wire(),rays:e,pose:t,...this.reach()}});n?this.stamped.push({...n,milliseconds:n.milliseconds/e.length}):this.rays=[]}this.busy=!1,this.ended&&await this.finish()}release(){if(this.sizing=null,this.shownMode=null,this.drawRing(),!this.stroke||this.brush.value.tool!=="brush"){this.stroke=null;return}this.ended=!0,this.busy||this.finish()}async finish(){this.ended=!1;const e=this.stroke;if(this.stroke=null,!e)return;await this.app.tell({stroke:{label:this.label(e.mode)}},!0)||await this.app.tell({forget:{}})}label(e){const t=this.joint===null?"":this.app.scene.value?.joints[this.joint]?.name??"";return e==="relax"?"Relax weights":`${vp[e]} ${t}`}async fill(e,t){const n=this.wire(),{origin:s,direction:r}=this.app.viewer.orbit.ray(e,t),a=this.app.player?Array.from(this.app.player.pose):null,o=this.brush.value.fillReach,l=Number.isFinite(o)?o*this.size:null;await this.app.tell({fill:{brush:n,origin:s.toArray(),direction:r.toArray(),pose:a,reach:l}},!0)}async choose(e,t){const{origin:n,direction:s}=this.app.viewer.orbit.ray(e,t),r=this.app.player?Array.from(this.app.player.pose):null,a=await this.app.tell({brush:{origin:n.toArray(),direction:s.toArray(),pose:r,...this.reach()}});!a||a.vertices.length===0||(this.chosen.value=[...new Set([...this.chosen.value,...a.vertices])].sort((o,l)=>o-l))}async fetch(){const e=this.chosen.value;if(e.length===0||!this.app.standing.value?.slots[0]){this.table.value=[];return}this.table.value=await this.app.tell({rows:{vertices:e.slice(0,2e3)}})??[]}use(e,t,n){const s=this.chosen.value.length>0?this.chosen.value:null;return this.app.tell({hands:{tool:{[e]:{vertices:s,...t}},label:n}},!0)}setShare(e,t,n){const s=this.app.scene.value?.joints[t]?.name??"",r={share:{vertices:e,joint:t,value:Li(n,0,1)}};return this.app.tell({hands:{tool:r,label:`${s} ${n}`}},!0)}paste(){if(!this.copied||this.chosen.value.length===0)return null;const e={paste:{vertices:this.chosen.value,weights:this.copied}};return this.app.tell({hands:{tool:e,label:"Paste weights"}},!0)}copy(){const e=new Map;for(const t of this.table.value)for(const[n,s]of t.influences)e.set(n,(e.get(n)??0)+s/this.table.value.length);this.copied=[...e.entries()].sort((t,n)=>n[1]-t[1])}}class Mp{constructor(e){this.at=e}along(e,t){const[n,s,r]=this.at;return(n-e.x)*t.x+(s-e.y)*t.y+(r-e.z)*t.z}}function Li(i,e,t){return Math.min(t,Math.max(e,i))}const $n=new mc,dt=new L,Nn=new L,ct=new Mt,uo={X:new L(1,0,0),Y:new L(0,1,0),Z:new L(0,0,1)},Cr={type:"change"},fo={type:"mouseDown",mode:null},po={type:"mouseUp",mode:null},mo={type:"objectChange"};class cl extends gc{constructor(e,t=null){super(void 0,t);const n=new Ap(this);this._root=n;const s=new Rp;this._gizmo=s,n.add(s);const r=new Cp;this._plane=r,n.add(r);const a=this;function o(E,x){let T=x;Object.defineProperty(a,E,{get:function(){return T!==void 0?T:x},set:function(A){T!==A&&(T=A,r[E]=A,s[E]=A,a.dispatchEvent({type:E+"-changed",value:A}),a.dispatchEvent(Cr))}}),a[E]=x,r[E]=x,s[E]=x}o("camera",e),o("object",void 0),o("enabled",!0),o("axis",null),o("mode","translate"),o("translationSnap",null),o("rotationSnap",null),o("scaleSnap",null),o("space","world"),o("size",1),this.viewport=null,o("dragging",!1),o("showX",!0),o("showY",!0),o("showZ",!0),o("showXY",!0),o("showYZ",!0),o("showXZ",!0),o("showXYZE",!0),o("showE",!0),o("minX",-1/0),o("maxX",1/0),o("minY",-1/0),o("maxY",1/0),o("minZ",-1/0),o("maxZ",1/0);const l=new L,c=new L,h=new Mt,u=new Mt,d=new L,f=new Mt,m=new L,v=new L,g=new L,p=0,S=new L;o("worldPosition",l),o("worldPositionStart",c),o("worldQuaternion",h),o("worldQuaternionStart",u),o("cameraPosition",d),o("cameraQuaternion",f),o("pointStart",m),o("pointEnd",v),o("rotationAxis",g),o("rotationAngle",p),o("eye",S),this._offset=new L,this._startNorm=new L,this._endNorm=new L,this._cameraScale=new L,this._parentPosition=new L,this._parentQuaternion=new Mt,this._parentQuaternionInv=new Mt,this._parentScale=new L,this._worldScaleStart=new L,this._worldQuaternionInv=new Mt,this._worldScale=new L,this._positionStart=new L,this._quaternionStart=new Mt,this._scaleStart=new L,this._getPointer=yp.bind(this),this._onPointerDown=wp.bind(this),this._onPointerHover=bp.bind(this),this._onPointerMove=Ep.bind(this),this._onPointerUp=Tp.bind(this),t!==null&&this.connect(t)}connect(e){super.connect(e),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointermove",this._onPointerHover),this.domElement.addEventListener("pointerup",this._onPointerUp),this.domElement.style.touchAction="none"}disconnect(){this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.removeEventListener("pointermove",this._onPointerHover),this.domElement.removeEventListener("pointermove",this._onPointerMove),this.domElement.removeEventListener("pointerup",this._onPointerUp),this.domElement.style.touchAction=""}getHelper(){return this._root}pointerHover(e){if(this.object===void 0||this.dragging===!0)return;e!==null&&$n.setFromCamera(e,this.camera);const t=Pr(this._gizmo.picker[this.mode],$n);t?this.axis=t.object.name:this.axis=null}pointerDown(e){if(!(this.object===void 0||this.dragging===!0||e!=null&&e.button!==0)&&this.axis!==null){e!==null&&$n.setFromCamera(e,this.camera);const t=Pr(this._plane,$n,!0);t&&(this.object.updateMatrixWorld(),this.object.parent.updateMatrixWorld(),this._positionStart.copy(this.object.position),this._quaternionStart.copy(this.object.quaternion),this._scaleStart.copy(this.object.scale),this.object.matrixWorld.decompose(this.worldPositionStart,this.worldQuaternionStart,this._worldScaleStart),this.pointStart.copy(t.point).sub(this.worldPositionStart)),this.dragging=!0,fo.mode=this.mode,this.dispatchEvent(fo)}}pointerMove(e){const t=this.axis,n=this.mode,s=this.object;let r=this.space;if(n==="scale"?r="local":(t==="E"||t==="XYZE"||t==="XYZ")&&(r="world"),s===void 0||t===null||this.dragging===!1||e!==null&&e.button!==-1)return;e!==null&&$n.setFromCamera(e,this.camera);const a=Pr(this._plane,$n,!0);if(a){if(this.pointEnd.copy(a.point).sub(this.worldPositionStart),n==="translate")this._offset.copy(this.pointEnd).sub(this.pointStart),r==="local"&&t!=="XYZ"&&this._offset.applyQuaternion(this._worldQuaternionInv),t.indexOf("X")===-1&&(this._offset.x=0),t.indexOf("Y")===-1&&(this._offset.y=0),t.indexOf("Z")===-1&&(this._offset.z=0),r==="local"&&t!=="XYZ"?this._offset.applyQuaternion(this._quaternionStart).divide(this._parentScale):this._offset.applyQuaternion(this._parentQuaternionInv).divide(this._parentScale),s.position.copy(this._offset).add(this._positionStart),this.translationSnap&&(r==="local"&&(s.position.applyQuaternion(ct.copy(this._quaternionStart).invert()),t.search("X")!==-1&&(s.position.x=Math.round(s.position.x/this.translationSnap)*this.translationSnap),t.search("Y")!==-1&&(s.position.y=Math.round(s.position.y/this.translationSnap)*this.translationSnap),t.search("Z")!==-1&&(s.position.z=Math.round(s.position.z/this.translationSnap)*this.translationSnap),s.position.applyQuaternion(this._quaternionStart)),r==="world"&&(s.getWorldPosition(dt),t.search("X")!==-1&&(dt.x=Math.round(dt.x/this.translationSnap)*this.translationSnap),t.search("Y")!==-1&&(dt.y=Math.round(dt.y/this.translationSnap)*this.translationSnap),t.search("Z")!==-1&&(dt.z=Math.round(dt.z/this.translationSnap)*this.translationSnap),s.position.copy(s.parent.worldToLocal(dt)))),s.position.x=Math.max(this.minX,Math.min(this.maxX,s.position.x)),s.position.y=Math.max(this.minY,Math.min(this.maxY,s.position.y)),s.position.z=Math.max(this.minZ,Math.min(this.maxZ,s.position.z));else if(n==="scale"){if(t.search("XYZ")!==-1){let o=this.pointEnd.length()/this.pointStart.length();this.pointEnd.dot(this.pointStart)<0&&(o*=-1),Nn.set(o,o,o)}else dt.copy(this.pointStart),Nn.copy(this.pointEnd),dt.applyQuaternion(this._worldQuaternionInv),Nn.applyQuaternion(this._worldQuaternionInv),Nn.divide(dt),t.search("X")===-1&&(Nn.x=1),t.search("Y")===-1&&(Nn.y=1),t.search("Z")===-1&&(Nn.z=1);s.scale.copy(this._scaleStart).multiply(Nn),this.scaleSnap&&(t.search("X")!==-1&&(s.scale.x=Math.round(s.scale.x/this.scaleSnap)*this.scaleSnap||this.scaleSnap),t.search("Y")!==-1&&(s.scale.y=Math.round(s.scale.y/this.scaleSnap)*this.scaleSnap||this.scaleSnap),t.search("Z")!==-1&&(s.scale.z=Math.round(s.scale.z/this.scaleSnap)*this.scaleSnap||this.scaleSnap))}else if(n==="rotate"){this._offset.copy(this.pointEnd).sub(this.pointStart);const o=20/this.worldPosition.distanceTo(dt.setFromMatrixPosition(this.camera.matrixWorld));let l=!1;t==="XYZE"?(this.rotationAxis.copy(this._offset).cross(this.eye).normalize(),this.rotationAngle=this._offset.dot(dt.copy(this.rotationAxis).cross(this.eye))*o):(t==="X"||t==="Y"||t==="Z")&&(this.rotationAxis.copy(uo[t]),dt.copy(uo[t]),r==="local"&&dt.applyQuaternion(this.worldQuaternion),dt.cross(this.eye),dt.length()===0?l=!0:this.rotationAngle=this._offset.dot(dt.normalize())*o),(t==="E"||l)&&(this.rotationAxis.copy(this.eye),this.rotationAngle=this.pointEnd.angleTo(this.pointStart),this._startNorm.copy(this.pointStart).normalize(),this._endNorm.copy(this.pointEnd).normalize(),this.rotationAngle*=this._endNorm.cross(this._startNorm).dot(this.eye)<0?1:-1),this.rotationSnap&&(this.rotationAngle=Math.round(this.rotationAngle/this.rotationSnap)*this.rotationSnap),r==="local"&&t!=="E"&&t!=="XYZE"?(s.quaternion.copy(this._quaternionStart),s.quaternion.multiply(ct.setFromAxisAngle(this.rotationAxis,this.rotationAngle)).normalize()):(this.rotationAxis.applyQuaternion(this._parentQuaternionInv),s.quaternion.copy(ct.setFromAxisAngle(this.rotationAxis,this.rotationAngle)),s.quaternion.multiply(this._quaternionStart).normalize())}this.dispatchEvent(Cr),this.dispatchEvent(mo)}}pointerUp(e){e!==null&&e.button!==0||(this.dragging&&this.axis!==null&&(po.mode=this.mode,this.dispatchEvent(po)),this.dragging=!1,this.axis=null)}dispose(){this.disconnect(),this._root.dispose()}attach(e){return this.object=e,this._root.visible=!0,this}detach(){return this.object=void 0,this.axis=null,this._root.visible=!1,this}reset(){this.enabled&&this.dragging&&(this.object.position.copy(this._positionStart),this.object.quaternion.copy(this._quaternionStart),this.object.scale.copy(this._scaleStart),this.dispatchEvent(Cr),this.dispatchEvent(mo),this.pointStart.copy(this.pointEnd))}getRaycaster(){return $n}getMode(){return this.mode}setMode(e){this.mode=e}setTranslationSnap(e){this.translationSnap=e}setRotationSnap(e){this.rotationSnap=e}setScaleSnap(e){this.scaleSnap=e}setSize(e){this.size=e}setSpace(e){this.space=e}setColors(e,t,n,s){const r=this._gizmo.materialLib;r.xAxis.color.set(e),r.yAxis.color.set(t),r.zAxis.color.set(n),r.active.color.set(s),r.xAxisTransparent.color.set(e),r.yAxisTransparent.color.set(t),r.zAxisTransparent.color.set(n),r.activeTransparent.color.set(s),r.xAxis._color&&r.xAxis._color.set(e),r.yAxis._color&&r.yAxis._color.set(t),r.zAxis._color&&r.zAxis._color.set(n),r.active._color&&r.active._color.set(s),r.xAxisTransparent._color&&r.xAxisTransparent._color.set(e),r.yAxisTransparent._color&&r.yAxisTransparent._color.set(t),r.zAxisTransparent._color&&r.zAxisTransparent._color.set(n),r.activeTransparent._color&&r.activeTransparent._color.set(s)}}function yp(i){if(this.domElement.ownerDocument.pointerLockElement)return{x:0,y:0,button:i.button};{const e=this.domElement.getBoundingClientRect(),t=this.viewport;let n,s,r,a;return t!==null?(n=t.x,s=e.height-t.y-t.w,r=t.z,a=t.w):(n=0,s=0,r=e.width,a=e.height),{x:(i.clientX-e.left-n)/r*2-1,y:-(i.clientY-e.top-s)/a*2+1,button:i.button}}}function bp(i){if(this.enabled)switch(i.pointerType){case"mouse":case"pen":this.pointerHover(this._getPointer(i));break}}function wp(i){this.enabled&&(document.pointerLockElement||this.domElement.setPointerCapture(i.pointerId),this.domElement.addEventListener("pointermove",this._onPointerMove),this.pointerHover(this._getPointer(i)),this.pointerDown(this._getPointer(i)))}function Ep(i){this.enabled&&this.pointerMove(this._getPointer(i))}function Tp(i){this.enabled&&(this.domElement.releasePointerCapture(i.pointerId),this.domElement.removeEventListener("pointermove",this._onPointerMove),this.pointerUp(this._getPointer(i)))}function Pr(i,e,t){const n=e.intersectObject(i,!0);for(let s=0;s<n.length;s++)if(n[s].object.visible||t)return n[s];return!1}const bs=new On,st=new L(0,1,0),go=new L(0,0,0),_o=new Ze,ws=new Mt,Bs=new Mt,un=new L,Ys=new Ze,Ui=new L(1,0,0),Zn=new L(0,1,0),Oi=new L(0,0,1),Es=new L,Di=new L,Ii=new L;class Ap extends yt{constructor(e){super(),this.isTransformControlsRoot=!0,this.controls=e,this.visible=!1}updateMatrixWorld(e){const t=this.controls;t.object!==void 0&&(t.object.updateMatrixWorld(),t.object.parent===null?console.error("TransformControls: The attached 3D object must be a part of the scene graph."):t.object.parent.matrixWorld.decompose(t._parentPosition,t._parentQuaternion,t._parentScale),t.object.matrixWorld.decompose(t.worldPosition,t.worldQuaternion,t._worldScale),t._parentQuaternionInv.copy(t._parentQuaternion).invert(),t._worldQuaternionInv.copy(t.worldQuaternion).invert()),t.camera.updateMatrixWorld(),t.camera.matrixWorld.decompose(t.cameraPosition,t.cameraQuaternion,t._cameraScale),t.camera.isOrthographicCamera?t.camera.getWorldDirection(t.eye).negate():t.eye.copy(t.cameraPosition).sub(t.worldPosition).normalize(),this.parent&&(Ys.copy(this.parent.matrixWorld).invert(),Ys.decompose(this.position,this.quaternion,this.scale)),super.updateMatrixWorld(e)}dispose(){this.traverse(function(e){e.geometry&&e.geometry.dispose(),e.material&&e.material.dispose()})}}class Rp extends yt{constructor(){super(),this.isTransformControlsGizmo=!0,this.type="TransformControlsGizmo";const e=new Gi({depthTest:!1,depthWrite:!1,fog:!1,toneMapped:!1,transparent:!0}),t=new Ks({depthTest:!1,depthWrite:!1,fog:!1,toneMapped:!1,transparent:!0}),n=e.clone();n.opacity=.15;const s=t.clone();s.opacity=.5;const r=e.clone();r.color.setHex(16711680);const a=e.clone();a.color.setHex(65280);const o=e.clone();o.color.setHex(255);const l=e.clone();l.color.setHex(16711680),l.opacity=.5;const c=e.clone();c.color.setHex(65280),c.opacity=.5;const h=e.clone();h.color.setHex(255),h.opacity=.5;const u=e.clone();u.opacity=.25;const d=e.clone();d.color.setHex(16776960),d.opacity=.25;const f=e.clone();f.color.setHex(16776960);const m=e.clone();m.color.setHex(7895160),this.materialLib={xAxis:r,yAxis:a,zAxis:o,active:f,xAxisTransparent:l,yAxisTransparent:c,zAxisTransparent:h,activeTransparent:d};const v=new Ft(0,.04,.1,12);v.translate(0,.05,0);const g=new ft(.08,.08,.08);g.translate(0,.04,0);const p=new mt;p.setAttribute("position",new tt([0,0,0,1,0,0],3));const S=new Ft(.0075,.0075,.5,3);S.translate(0,.25,0);function E(z,Y){const B=new jn(z,.0075,3,64,Y*Math.PI*2);return B.rotateY(Math.PI/2),B.rotateX(Math.PI/2),B}function x(){const z=new mt;return z.setAttribute("position",new tt([0,0,0,1,1,1],3)),z}const T={X:[[new ve(v,r),[.5,0,0],[0,0,-Math.PI/2]],[new ve(v,r),[-.5,0,0],[0,0,Math.PI/2]],[new ve(S,r),[0,0,0],[0,0,-Math.PI/2]]],Y:[[new ve(v,a),[0,.5,0]],[new ve(v,a),[0,-.5,0],[Math.PI,0,0]],[new ve(S,a)]],Z:[[new ve(v,o),[0,0,.5],[Math.PI/2,0,0]],[new ve(v,o),[0,0,-.5],[-Math.PI/2,0,0]],[new ve(S,o),null,[Math.PI/2,0,0]]],XYZ:[[new ve(new fi(.1,0),u),[0,0,0]]],XY:[[new ve(new ft(.15,.15,.01),h),[.15,.15,0]]],YZ:[[new ve(new ft(.15,.15,.01),l),[0,.15,.15],[0,Math.PI/2,0]]],XZ:[[new ve(new ft(.15,.15,.01),c),[.15,0,.15],[-Math.PI/2,0,0]]]},A={X:[[new ve(new Ft(.2,0,.6,4),n),[.3,0,0],[0,0,-Math.PI/2]],[new ve(new Ft(.2,0,.6,4),n),[-.3,0,0],[0,0,Math.PI/2]]],Y:[[new ve(new Ft(.2,0,.6,4),n),[0,.3,0]],[new ve(new Ft(.2,0,.6,4),n),[0,-.3,0],[0,0,Math.PI]]],Z:[[new ve(new Ft(.2,0,.6,4),n),[0,0,.3],[Math.PI/2,0,0]],[new ve(new Ft(.2,0,.6,4),n),[0,0,-.3],[-Math.PI/2,0,0]]],XYZ:[[new ve(new fi(.2,0),n)]],XY:[[new ve(new ft(.2,.2,.01),n),[.15,.15,0]]],YZ:[[new ve(new ft(.2,.2,.01),n),[0,.15,.15],[0,Math.PI/2,0]]],XZ:[[new ve(new ft(.2,.2,.01),n),[.15,0,.15],[-Math.PI/2,0,0]]]},_={START:[[new ve(new fi(.01,2),s),null,null,null,"helper"]],END:[[new ve(new fi(.01,2),s),null,null,null,"helper"]],DELTA:[[new dn(x(),s),null,null,null,"helper"]],X:[[new dn(p,s),[-1e3,0,0],null,[1e6,1,1],"helper"]],Y:[[new dn(p,s),[0,-1e3,0],[0,0,Math.PI/2],[1e6,1,1],"helper"]],Z:[[new dn(p,s),[0,0,-1e3],[0,-Math.PI/2,0],[1e6,1,1],"helper"]]},y={XYZE:[[new ve(E(.5,1),m),null,[0,Math.PI/2,0]]],X:[[new ve(E(.5,.5),r)]],Y:[[new ve(E(.5,.5),a),null,[0,0,-Math.PI/2]]],Z:[[new ve(E(.5,.5),o),null,[0,Math.PI/2,0]]],E:[[new ve(E(.75,1),d),null,[0,Math.PI/2,0]]]},P={AXIS:[[new dn(p,s),[-1e3,0,0],null,[1e6,1,1],"helper"]]},C={XYZE:[[new ve(new ki(.25,10,8),n)]],X:[[new ve(new jn(.5,.1,4,24),n),[0,0,0],[0,-Math.PI/2,-Math.PI/2]]],Y:[[new ve(new jn(.5,.1,4,24),n),[0,0,0],[Math.PI/2,0,0]]],Z:[[new ve(new jn(.5,.1,4,24),n),[0,0,0],[0,0,-Math.PI/2]]],E:[[new ve(new jn(.75,.1,2,24),n)]]},F={X:[[new ve(g,r),[.5,0,0],[0,0,-Math.PI/2]],[new ve(S,r),[0,0,0],[0,0,-Math.PI/2]],[new ve(g,r),[-.5,0,0],[0,0,Math.PI/2]]],Y:[[new ve(g,a),[0,.5,0]],[new ve(S,a)],[new ve(g,a),[0,-.5,0],[0,0,Math.PI]]],Z:[[new ve(g,o),[0,0,.5],[Math.PI/2,0,0]],[new ve(S,o),[0,0,0],[Math.PI/2,0,0]],[new ve(g,o),[0,0,-.5],[-Math.PI/2,0,0]]],XY:[[new ve(new ft(.15,.15,.01),h),[.15,.15,0]]],YZ:[[new ve(new ft(.15,.15,.01),l),[0,.15,.15],[0,Math.PI/2,0]]],XZ:[[new ve(new ft(.15,.15,.01),c),[.15,0,.15],[-Math.PI/2,0,0]]],XYZ:[[new ve(new ft(.1,.1,.1),u)]]},O={X:[[new ve(new Ft(.2,0,.6,4),n),[.3,0,0],[0,0,-Math.PI/2]],[new ve(new Ft(.2,0,.6,4),n),[-.3,0,0],[0,0,Math.PI/2]]],Y:[[new ve(new Ft(.2,0,.6,4),n),[0,.3,0]],[new ve(new Ft(.2,0,.6,4),n),[0,-.3,0],[0,0,Math.PI]]],Z:[[new ve(new Ft(.2,0,.6,4),n),[0,0,.3],[Math.PI/2,0,0]],[new ve(new Ft(.2,0,.6,4),n),[0,0,-.3],[-Math.PI/2,0,0]]],XY:[[new ve(new ft(.2,.2,.01),n),[.15,.15,0]]],YZ:[[new ve(new ft(.2,.2,.01),n),[0,.15,.15],[0,Math.PI/2,0]]],XZ:[[new ve(new ft(.2,.2,.01),n),[.15,0,.15],[-Math.PI/2,0,0]]],XYZ:[[new ve(new ft(.2,.2,.2),n),[0,0,0]]]},X={X:[[new dn(p,s),[-1e3,0,0],null,[1e6,1,1],"helper"]],Y:[[new dn(p,s),[0,-1e3,0],[0,0,Math.PI/2],[1e6,1,1],"helper"]],Z:[[new dn(p,s),[0,0,-1e3],[0,-Math.PI/2,0],[1e6,1,1],"helper"]]};function I(z){const Y=new yt;for(const B in z)for(let te=z[B].length;te--;){const V=z[B][te][0].clone(),Q=z[B][te][1],ee=z[B][te][2],xe=z[B][te][3],Le=z[B][te][4];V.name=B,V.tag=Le,Q&&V.position.set(Q[0],Q[1],Q[2]),ee&&V.rotation.set(ee[0],ee[1],ee[2]),xe&&V.scale.set(xe[0],xe[1],xe[2]),V.updateMatrix();const Z=V.geometry.clone();Z.applyMatrix4(V.matrix),V.geometry=Z,V.renderOrder=1/0,V.position.set(0,0,0),V.rotation.set(0,0,0),V.scale.set(1,1,1),Y.add(V)}return Y}this.gizmo={},this.picker={},this.helper={},this.add(this.gizmo.translate=I(T)),this.add(this.gizmo.rotate=I(y)),this.add(this.gizmo.scale=I(F)),this.add(this.picker.translate=I(A)),this.add(this.picker.rotate=I(C)),this.add(this.picker.scale=I(O)),this.add(this.helper.translate=I(_)),this.add(this.helper.rotate=I(P)),this.add(this.helper.scale=I(X)),this.picker.translate.visible=!1,this.picker.rotate.visible=!1,this.picker.scale.visible=!1}updateMatrixWorld(e){const n=(this.mode==="scale"?"local":this.space)==="local"?this.worldQuaternion:Bs;this.gizmo.translate.visible=this.mode==="translate",this.gizmo.rotate.visible=this.mode==="rotate",this.gizmo.scale.visible=this.mode==="scale",this.helper.translate.visible=this.mode==="translate",this.helper.rotate.visible=this.mode==="rotate",this.helper.scale.visible=this.mode==="scale";let s=[];s=s.concat(this.picker[this.mode].children),s=s.concat(this.gizmo[this.mode].children),s=s.concat(this.helper[this.mode].children);for(let r=0;r<s.length;r++){const a=s[r];a.visible=!0,a.rotation.set(0,0,0),a.position.copy(this.worldPosition);let o;if(this.camera.isOrthographicCamera?o=(this.camera.top-this.camera.bottom)/this.camera.zoom:o=this.worldPosition.distanceTo(this.cameraPosition)*Math.min(1.9*Math.tan(Math.PI*this.camera.fov/360)/this.camera.zoom,7),a.scale.set(1,1,1).multiplyScalar(o*this.size/4),a.tag==="helper"){a.visible=!1,a.name==="AXIS"?(a.visible=!!this.axis,this.axis==="X"&&(ct.setFromEuler(bs.set(0,0,0)),a.quaternion.copy(n).multiply(ct),Math.abs(st.copy(Ui).applyQuaternion(n).dot(this.eye))>.9&&(a.visible=!1)),this.axis==="Y"&&(ct.setFromEuler(bs.set(0,0,Math.PI/2)),a.quaternion.copy(n).multiply(ct),Math.abs(st.copy(Zn).applyQuaternion(n).dot(this.eye))>.9&&(a.visible=!1)),this.axis==="Z"&&(ct.setFromEuler(bs.set(0,Math.PI/2,0)),a.quaternion.copy(n).multiply(ct),Math.abs(st.copy(Oi).applyQuaternion(n).dot(this.eye))>.9&&(a.visible=!1)),this.axis==="XYZE"&&(ct.setFromEuler(bs.set(0,Math.PI/2,0)),st.copy(this.rotationAxis),a.quaternion.setFromRotationMatrix(_o.lookAt(go,st,Zn)),a.quaternion.multiply(ct),a.visible=this.dragging),this.axis==="E"&&(a.visible=!1)):a.name==="START"?(a.position.copy(this.worldPositionStart),a.visible=this.dragging):a.name==="END"?(a.position.copy(this.worldPosition),a.visible=this.dragging):a.name==="DELTA"?(a.position.copy(this.worldPositionStart),a.quaternion.copy(this.worldQuaternionStart),dt.set(1e-10,1e-10,1e-10).add(this.worldPositionStart).sub(this.worldPosition).multiplyScalar(-1),dt.applyQuaternion(this.worldQuaternionStart.clone().invert()),a.scale.copy(dt),a.visible=this.dragging):(a.quaternion.copy(n),this.dragging?a.position.copy(this.worldPositionStart):a.position.copy(this.worldPosition),this.axis&&(a.visible=this.axis.search(a.name)!==-1));continue}a.quaternion.copy(n),this.mode==="translate"||this.mode==="scale"?(a.name==="X"&&Math.abs(st.copy(Ui).applyQuaternion(n).dot(this.eye))>.99&&(a.scale.set(1e-10,1e-10,1e-10),a.visible=!1),a.name==="Y"&&Math.abs(st.copy(Zn).applyQuaternion(n).dot(this.eye))>.99&&(a.scale.set(1e-10,1e-10,1e-10),a.visible=!1),a.name==="Z"&&Math.abs(st.copy(Oi).applyQuaternion(n).dot(this.eye))>.99&&(a.scale.set(1e-10,1e-10,1e-10),a.visible=!1),a.name==="XY"&&Math.abs(st.copy(Oi).applyQuaternion(n).dot(this.eye))<.2&&(a.scale.set(1e-10,1e-10,1e-10),a.visible=!1),a.name==="YZ"&&Math.abs(st.copy(Ui).applyQuaternion(n).dot(this.eye))<.2&&(a.scale.set(1e-10,1e-10,1e-10),a.visible=!1),a.name==="XZ"&&Math.abs(st.copy(Zn).applyQuaternion(n).dot(this.eye))<.2&&(a.scale.set(1e-10,1e-10,1e-10),a.visible=!1)):this.mode==="rotate"&&(ws.copy(n),st.copy(this.eye).applyQuaternion(ct.copy(n).invert()),a.name.search("E")!==-1&&a.quaternion.setFromRotationMatrix(_o.lookAt(this.eye,go,Zn)),a.name==="X"&&(ct.setFromAxisAngle(Ui,Math.atan2(-st.y,st.z)),ct.multiplyQuaternions(ws,ct),a.quaternion.copy(ct)),a.name==="Y"&&(ct.setFromAxisAngle(Zn,Math.atan2(st.x,st.z)),ct.multiplyQuaternions(ws,ct),a.quaternion.copy(ct)),a.name==="Z"&&(ct.setFromAxisAngle(Oi,Math.atan2(st.y,st.x)),ct.multiplyQuaternions(ws,ct),a.quaternion.copy(ct))),a.visible=a.visible&&(a.name.indexOf("X")===-1||this.showX),a.visible=a.visible&&(a.name.indexOf("Y")===-1||this.showY),a.visible=a.visible&&(a.name.indexOf("Z")===-1||this.showZ),a.visible=a.visible&&(a.name.indexOf("E")===-1||this.showX&&this.showY&&this.showZ),a.visible=a.visible&&(a.name.indexOf("XY")===-1||this.showXY),a.visible=a.visible&&(a.name.indexOf("YZ")===-1||this.showYZ),a.visible=a.visible&&(a.name.indexOf("XZ")===-1||this.showXZ),a.visible=a.visible&&(a.name!=="E"||this.showE),a.visible=a.visible&&(a.name!=="XYZE"||this.showXYZE),a.material._color=a.material._color||a.material.color.clone(),a.material._opacity=a.material._opacity||a.material.opacity,a.material.color.copy(a.material._color),a.material.opacity=a.material._opacity,this.enabled&&this.axis&&(a.name===this.axis?(a.material.color.copy(this.materialLib.active.color),a.material.opacity=1):this.axis.split("").some(function(l){return a.name===l})&&(a.material.color.copy(this.materialLib.active.color),a.material.opacity=1))}super.updateMatrixWorld(e)}}class Cp extends ve{constructor(){super(new Jn(1e5,1e5,2,2),new Gi({visible:!1,wireframe:!0,side:2,transparent:!0,opacity:.1,toneMapped:!1})),this.isTransformControlsPlane=!0,this.type="TransformControlsPlane"}updateMatrixWorld(e){let t=this.space;switch(this.position.copy(this.worldPosition),this.mode==="scale"&&(t="local"),Es.copy(Ui).applyQuaternion(t==="local"?this.worldQuaternion:Bs),Di.copy(Zn).applyQuaternion(t==="local"?this.worldQuaternion:Bs),Ii.copy(Oi).applyQuaternion(t==="local"?this.worldQuaternion:Bs),st.copy(Di),this.mode){case"translate":case"scale":switch(this.axis){case"X":st.copy(this.eye).cross(Es),un.copy(Es).cross(st);break;case"Y":st.copy(this.eye).cross(Di),un.copy(Di).cross(st);break;case"Z":st.copy(this.eye).cross(Ii),un.copy(Ii).cross(st);break;case"XY":un.copy(Ii);break;case"YZ":un.copy(Es);break;case"XZ":st.copy(Ii),un.copy(Di);break;case"XYZ":case"E":un.set(0,0,0);break}break;case"rotate":default:un.set(0,0,0)}un.length()===0?this.quaternion.copy(this.cameraQuaternion):(Ys.lookAt(dt.set(0,0,0),un,st),this.quaternion.setFromRotationMatrix(Ys)),super.updateMatrixWorld(e)}}const Pp=.012;class Lp{constructor(e,t,n,s){this.changed=n,this.gizmo=new cl(e,t),this.gizmo.setSpace("world"),this.gizmo.setSize(.62),this.gizmo.setColors("#e0575b","#5aa84f","#4b8ee8","#ffd166"),this.gizmo.addEventListener("change",s),this.gizmo.addEventListener("objectChange",()=>this.tell(!1)),this.gizmo.addEventListener("mouseUp",()=>this.tell(!0))}group=new wn;gizmo;placed=[];size=1;chosen=null;get busy(){return this.gizmo.dragging||this.gizmo.object!==void 0&&this.gizmo.axis!==null}set(e,t,n,s){if(this.gizmo.dragging)return;this.clear(),this.placed=e,this.size=s,this.chosen=t,e.forEach(({shape:a,joint:o,color:l},c)=>{const h=Ip(a,new Ie(...l).convertLinearToSRGB(),c===t),{offset:u,extent:d}=Dp(a,Pp*s);h.position.set(o[0]+u[0],o[1]+u[1],o[2]+u[2]),h.scale.set(...d),this.group.add(h)});const r=t===null?void 0:this.group.children[t];if(r){const a=!("point"in e[t].shape);this.gizmo.setMode(a?n:"translate"),this.gizmo.attach(r)}}clear(){this.gizmo.detach();for(const e of this.group.children)e.traverse(t=>{const n=t;n.geometry?.dispose(),n.material?.dispose()});this.group.clear(),this.placed=[],this.chosen=null}tell(e){const t=this.chosen;if(t===null)return;const n=this.group.children[t],{shape:s,joint:r}=this.placed[t],a=.001*this.size,o=n.position.toArray().map((u,d)=>vo(u-r[d])),[l,c,h]=n.scale.toArray().map(u=>vo(Math.max(Math.abs(u),a)));if("point"in s)this.changed(t,{point:{offset:o}},e);else if("ball"in s){const u=s.ball.radius,d=[l,c,h].reduce((f,m)=>Math.abs(m-u)>Math.abs(f-u)?m:f,u);n.scale.setScalar(d),this.changed(t,{ball:{offset:o,radius:d}},e)}else this.changed(t,{box:{offset:o,half_extent:[l,c,h]}},e)}}function vo(i){return Number(i.toPrecision(6))}function Dp(i,e){if("point"in i)return{offset:i.point.offset,extent:[e,e,e]};if("ball"in i){const t=i.ball.radius;return{offset:i.ball.offset,extent:[t,t,t]}}return{offset:i.box.offset,extent:i.box.half_extent}}function Ip(i,e,t){const n="box"in i?new ft(2,2,2):new ki(1,24,14),s=new ve(n,new Gi({color:e,transparent:!0,opacity:t?.34:.2,depthTest:!1,depthWrite:!1})),r="box"in i?new rc(n):new ac(new ki(1,12,6)),a=new ic(r,new Ks({color:e,transparent:!0,opacity:t?.9:.4,depthTest:!1}));return s.renderOrder=12,a.renderOrder=13,s.add(a),s}function Np(){const i=[[1,0],[0,1],[-1,0],[0,-1]].map(([r,a])=>[.5*r,.16,.5*a]),[e,t]=[[0,0,0],[0,1,0]],n=[];for(let r=0;r<4;r++){const[a,o]=[i[r],i[(r+1)%4]];n.push(...e,...a,...o,...t,...o,...a)}const s=new mt;return s.setAttribute("position",new tt(n,3)),s.computeVertexNormals(),s}const Fp=`
attribute vec3 tint;
varying vec3 vTint;
varying vec3 vNormalSeen;
void main() {
  vTint = tint;
  mat4 placed = modelViewMatrix * instanceMatrix;
  vNormalSeen = normalize(mat3(placed) * normal / vec3(
    dot(placed[0].xyz, placed[0].xyz), dot(placed[1].xyz, placed[1].xyz), dot(placed[2].xyz, placed[2].xyz)));
  gl_Position = projectionMatrix * placed * vec4(position, 1.0);
}`,Up=`
uniform float opacity;
varying vec3 vTint;
varying vec3 vNormalSeen;
void main() {
  float light = 0.62 + 0.38 * max(0.0, dot(normalize(vNormalSeen), normalize(vec3(-0.3, 0.6, 0.8))));
  gl_FragColor = vec4(vTint * light, opacity);
}`,Op=new Ie(.5,.53,.58);class xo{constructor(e,t){this.scene=e;const n=(o,l)=>Kn(t.inverse,12*o,l);this.heads=e.bones.map(o=>n(o.joint,o.head)),this.tails=e.bones.map(o=>n(o.joint,o.tail)),this.segments=e.bones.map(o=>({joint:o.joint,head:new L(...o.head),tail:new L(...o.tail),stub:o.stub})),this.widths=Bp(this.segments),this.roots=new Set(e.joints.flatMap((o,l)=>{let c=o.parent;for(;c!==null&&!e.joints[c].in_skin;)c=e.joints[c].parent;const h=e.bones.filter(u=>u.joint===l).length;return c===null&&h===1?[l]:[]})),this.base=e.joints.map(o=>new Ie(...o.color).convertLinearToSRGB());const s=Math.max(1,e.bones.length),r=Np();this.tints=new Fr(new Float32Array(3*s),3),r.setAttribute("tint",this.tints);const a=new Tn({vertexShader:Fp,fragmentShader:Up,uniforms:{opacity:{value:.74}},transparent:!0,depthTest:!1,depthWrite:!1});this.mesh=new Ho(r,a,s),this.mesh.count=e.bones.length,this.mesh.frustumCulled=!1,this.mesh.renderOrder=10,this.group.add(this.mesh)}group=new wn;mesh;tints;heads;tails;segments;widths;base;roots;dispose(){this.mesh.geometry.dispose(),this.mesh.material.dispose(),this.mesh.dispose()}setPose(e){this.scene.bones.forEach((t,n)=>{this.segments[n].head.set(...Kn(e,12*t.joint,this.heads[n])),this.segments[n].tail.set(...Kn(e,12*t.joint,this.tails[n]))})}arrange(e,t,n,s,r){const a=e.position,o=this.segments.map((m,v)=>({at:v,far:m.head.distanceToSquared(a)+m.tail.distanceToSquared(a)})).sort((m,v)=>v.far-m.far),l=new Ze,c=new Mt,h=new L(0,1,0),u=new L,d=new L,f=new Ie;o.forEach(({at:m},v)=>{const{joint:g,head:p,tail:S}=this.segments[m];u.subVectors(S,p);const E=u.length()||1e-6;c.setFromUnitVectors(h,u.divideScalar(E));const x=this.roots.has(g)||r.size>0&&!r.has(g),T=Math.min(this.widths[m],.3*E)*(x?.3:1);d.set(T,E,T),this.mesh.setMatrixAt(v,l.compose(p,c,d)),f.copy(x?Op:this.base[g]),t!==null&&g!==t&&f.lerp(new Ie(.45,.47,.5),.45),g===t?f.copy(s):g===n&&f.lerp(new Ie(1,1,1),.45),this.tints.setXYZ(v,f.r,f.g,f.b)}),this.mesh.instanceMatrix.needsUpdate=!0,this.tints.needsUpdate=!0}at(e,t,n,s,r,a=9){const o=c=>{const h=c.clone().project(e);return{x:(h.x+1)/2*s,y:(1-h.y)/2*r,z:h.z}};let l=null;for(const{joint:c,head:h,tail:u}of this.segments){const[d,f]=[o(h),o(u)];if(d.z>1||f.z>1)continue;const[m,v]=[f.x-d.x,f.y-d.y],g=m*m+v*v,p=g>0?Math.min(1,Math.max(0,((t-d.x)*m+(n-d.y)*v)/g)):0,S=Math.hypot(d.x+p*m-t,d.y+p*v-n);if(S>a)continue;const E=S+4*(d.z+p*(f.z-d.z));(!l||E<l.score)&&(l={joint:c,score:E})}return l?l.joint:null}headAt(e,t,n,s,r,a=11){let o=null;for(const{joint:l,head:c}of this.segments){const h=c.clone().project(e),u=Math.hypot((h.x+1)/2*s-t,(1-h.y)/2*r-n);h.z<=1&&u<=a&&(!o||u<o.away)&&(o={joint:l,away:u})}return o?o.joint:null}place(e,t){return new L(t[12*e+9],t[12*e+10],t[12*e+11])}}function Bp(i){const e=i.map(r=>r.head),n=new en().setFromPoints(e).getSize(new L).length()||1,s=.035*n;return i.map(r=>{let a=1/0;for(const o of e){const l=o.distanceTo(r.head);l>1e-6*n&&(a=Math.min(a,l))}return Math.min(s,Math.max(.12*s,.4*a))})}class kp{mesh;material;constructor(){this.material=new Tn({transparent:!0,depthWrite:!1,side:2,uniforms:{tint:{value:new Ie("#8090a8")},cell:{value:.25},reach:{value:2}},vertexShader:`
        varying vec2 vPlace;
        void main() {
          vPlace = position.xy;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        }`,fragmentShader:`
        uniform vec3 tint;
        uniform float cell;
        uniform float reach;
        varying vec2 vPlace;
        float lines(float size) {
          vec2 at = vPlace / size;
          vec2 away = abs(fract(at - 0.5) - 0.5) / fwidth(at);
          return 1.0 - min(1.0, min(away.x, away.y));
        }
        void main() {
          float strength = 0.20 * lines(cell) + 0.26 * lines(4.0 * cell);
          float fade = 1.0 - smoothstep(0.3 * reach, reach, length(vPlace));
          gl_FragColor = vec4(tint, strength * fade);
        }`}),this.mesh=new ve(new Jn(2,2),this.material),this.mesh.rotation.x=-Math.PI/2,this.mesh.renderOrder=-1}fit(e){const t=e.getSize(new L),n=1.3*Math.max(t.x,t.y,t.z),s=10**Math.floor(Math.log10(n/4))*1,r=e.getCenter(new L);this.mesh.geometry.dispose(),this.mesh.geometry=new Jn(2*n,2*n),this.mesh.position.set(r.x,e.min.y,r.z),this.material.uniforms.cell.value=n/s>16?2.5*s:s,this.material.uniforms.reach.value=n}tint(e){this.material.uniforms.tint.value.set(e).convertLinearToSRGB()}}class zp extends an{tall=0;updateProjectionMatrix(){if(super.updateProjectionMatrix(),!this.tall)return;const[e,t]=[this.tall/2,this.tall/2*this.aspect];this.projectionMatrix.makeOrthographic(-t,t,e,-e,-this.far,this.far,this.coordinateSystem),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}}class Gp{camera=new zp(32,1,.01,100);target=new L(0,1,0);yaw=.45;pitch=.12;distance=4;size=1;framed=!1;flat=!1;aligned=!1;constructor(){this.place()}place(){const{camera:e,target:t,distance:n,yaw:s,pitch:r,size:a}=this;e.position.set(t.x+n*Math.cos(r)*Math.sin(s),t.y+n*Math.sin(r),t.z+n*Math.cos(r)*Math.cos(s)),e.near=Math.max(.001*a,.02*n),e.far=n+40*a,e.tall=this.flat?2*n*Math.tan(e.fov*Math.PI/360):0,e.lookAt(t),e.updateProjectionMatrix(),e.updateMatrixWorld()}frame(e,t,n=.92){this.framed=!1;const s=e.getSize(new L);e.getCenter(this.target);const r=Math.tan(this.camera.fov*Math.PI/360),a=Math.max(s.x,s.z),o=Math.max(s.y/2,a/2/Math.max(.1,t))/r/n;this.distance=Math.max(o+a/6,1e-4),this.size=Math.max(s.length(),1e-4),this.place()}orbit(e,t){this.aligned&&(this.flat=this.aligned=!1),this.yaw-=e*.008,this.pitch=Math.min(1.55,Math.max(-1.55,this.pitch+t*.008)),this.place()}pan(e,t,n){this.framed=!1;const s=2*this.distance*Math.tan(this.camera.fov*Math.PI/360)/n,r=new L().setFromMatrixColumn(this.camera.matrixWorld,0),a=new L().setFromMatrixColumn(this.camera.matrixWorld,1);this.target.addScaledVector(r,-e*s).addScaledVector(a,t*s),this.place()}zoom(e,t=0,n=0){this.framed=!1;const s=this.onPlane(t,n),r=.01*this.size;this.distance=Math.min(60*this.size,Math.max(r,this.distance*e)),this.place(),this.target.add(s.sub(this.onPlane(t,n))),this.place()}onPlane(e,t){const n=Math.tan(this.camera.fov*Math.PI/360)*this.distance,s=new L().setFromMatrixColumn(this.camera.matrixWorld,0),r=new L().setFromMatrixColumn(this.camera.matrixWorld,1);return this.target.clone().addScaledVector(s,e*n*this.camera.aspect).addScaledVector(r,t*n)}look(e,t){this.yaw=e,this.pitch=t,this.aligned=!this.flat||this.aligned,this.flat=!0,this.place()}setFlat(e){this.flat=e,this.aligned=!1,this.place()}setAspect(e){this.camera.aspect!==e&&(this.camera.aspect=e,this.camera.updateProjectionMatrix())}pixelsPerUnit(e,t){const n=this.flat?this.distance:Math.max(1e-6,e);return t/(2*n*Math.tan(this.camera.fov*Math.PI/360))}depth(e){return e.clone().sub(this.camera.position).dot(this.camera.getWorldDirection(new L))}ray(e,t){if(this.flat){const r=this.camera.getWorldDirection(new L),a=new L(e,t,0).unproject(this.camera),o=a.clone().sub(this.camera.position).dot(r)+40*this.size;return{origin:a.addScaledVector(r,-o),direction:r}}const n=this.camera.position.clone(),s=new L(e,t,.5).unproject(this.camera).sub(n).normalize();return{origin:n,direction:s}}}const Un=1024,Ts=8,So=`
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;

uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform usampler2D weightsA;
uniform usampler2D weightsB;
uniform sampler2D joints;
uniform sampler2D palette;
uniform int slot;
uniform int skinning;
uniform int stretches;
uniform int coloring;
uniform int selected;
uniform int most;
uniform float mapScale;

in vec3 position;
in vec3 normal;
in vec2 uv;
in vec4 color;
in float map;
in float image;

out vec3 vNormal;
out vec3 vPlace;
out vec2 vUv;
out vec4 vColor;
out vec3 vTint;
out float vValue;
out float vMissing;

struct Row { uvec4 low; uvec4 high; };

Row rowOf(usampler2D weights, int vertex) {
  int at = (vertex % ${Un}) * 2;
  int line = vertex / ${Un};
  return Row(texelFetch(weights, ivec2(at, line), 0), texelFetch(weights, ivec2(at + 1, line), 0));
}

Row row(usampler2D weights) { return rowOf(weights, gl_VertexID); }

uint word(Row r, int i) { return i < 4 ? r.low[i] : r.high[i - 4]; }
int jointOf(uint word) { return int(word >> 16u); }
float shareOf(uint word) { return float(word & 65535u) / 65535.0; }

mat4 matrixOf(int joint, int first) {
  vec4 x = texelFetch(joints, ivec2(first, joint), 0);
  vec4 y = texelFetch(joints, ivec2(first + 1, joint), 0);
  vec4 z = texelFetch(joints, ivec2(first + 2, joint), 0);
  return transpose(mat4(x, y, z, vec4(0.0, 0.0, 0.0, 1.0)));
}

mat4 blended(Row r, int first) {
  mat4 m = mat4(0.0);
  for (int i = 0; i < 8; i++) {
    uint w = word(r, i);
    if ((w & 65535u) == 0u) break;
    m += matrixOf(jointOf(w), first) * shareOf(w);
  }
  return m;
}

vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + v * q.w); }

float shareIn(Row r, int joint) {
  for (int i = 0; i < 8; i++) {
    uint w = word(r, i);
    if ((w & 65535u) == 0u) break;
    if (jointOf(w) == joint) return shareOf(w);
  }
  return 0.0;
}

/* Half the sum of what differs: 0 the same, 1 nothing in common. */
float difference(Row a, Row b) {
  float sum = 0.0;
  for (int i = 0; i < 8; i++) {
    uint w = word(a, i);
    if ((w & 65535u) == 0u) break;
    sum += abs(shareOf(w) - shareIn(b, jointOf(w)));
  }
  for (int i = 0; i < 8; i++) {
    uint w = word(b, i);
    if ((w & 65535u) == 0u) break;
    if (shareIn(a, jointOf(w)) == 0.0) sum += shareOf(w);
  }
  return 0.5 * sum;
}

/* The same between a vertex and its image on the other side, joints swapped with their partners. */
float asymmetry(Row a, Row b) {
  float sum = 0.0;
  float shared = 0.0;
  for (int i = 0; i < 8; i++) {
    uint w = word(a, i);
    if ((w & 65535u) == 0u) break;
    int partner = int(texelFetch(palette, ivec2(0, jointOf(w)), 0).a + 0.5);
    float other = shareIn(b, partner);
    sum += abs(shareOf(w) - other);
    shared += other;
  }
  return 0.5 * (sum + max(0.0, 1.0 - shared));
}

void main() {
  Row a = row(weightsA);
  Row b = row(weightsB);
  Row r = a;
  if (slot == 1) r = b;
  bool bound = (r.low.x & 65535u) != 0u;
  vec3 p = position;
  vec3 n = normal;
  if (bound && skinning == 0) {
    mat4 m = blended(r, 0);
    p = (m * vec4(p, 1.0)).xyz;
    n = mat3(m) * n;
  } else if (bound && skinning == 1) {
    if (stretches == 1) {
      mat4 s = blended(r, 5);
      p = (s * vec4(p, 1.0)).xyz;
      n = inverse(transpose(mat3(s))) * n;
    }
    vec4 first = texelFetch(joints, ivec2(3, jointOf(r.low.x)), 0);
    vec4 real = vec4(0.0);
    vec4 dual = vec4(0.0);
    for (int i = 0; i < 8; i++) {
      uint w = word(r, i);
      if ((w & 65535u) == 0u) break;
      vec4 q = texelFetch(joints, ivec2(3, jointOf(w)), 0);
      float s = shareOf(w) * (dot(first, q) < 0.0 ? -1.0 : 1.0);
      real += q * s;
      dual += texelFetch(joints, ivec2(4, jointOf(w)), 0) * s;
    }
    float scale = 1.0 / length(real);
    real *= scale;
    dual *= scale;
    p = turned(real, p) + 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
    n = turned(real, n);
  }
  vTint = vec3(0.0);
  vValue = 0.0;
  vMissing = bound ? 0.0 : 1.0;
  if (coloring == 1) {
    vValue = shareIn(r, selected);
  } else if (coloring == 2) {
    for (int i = 0; i < 8; i++) {
      uint w = word(r, i);
      if ((w & 65535u) == 0u) break;
      vTint += texelFetch(palette, ivec2(0, jointOf(w)), 0).rgb * shareOf(w);
    }
  } else if (coloring == 3) {
    int count = 0;
    for (int i = 0; i < 8; i++) if ((word(r, i) & 65535u) != 0u) count++;
    vValue = count > most ? 2.0 : float(count - 1) / 7.0;
  } else if (coloring == 4) {
    vValue = difference(a, b);
  } else if (coloring == 5) {
    vValue = clamp(map * mapScale, 0.0, 1.0);
  }
  if (coloring == 6) {
    if (image < -0.5) vMissing = 1.0;
    else if (slot == 1) vValue = asymmetry(b, rowOf(weightsB, int(image + 0.5)));
    else vValue = asymmetry(a, rowOf(weightsA, int(image + 0.5)));
  }
  vec4 seen = modelViewMatrix * vec4(p, 1.0);
  vPlace = seen.xyz;
  vNormal = mat3(modelViewMatrix) * n;
  vUv = uv;
  vColor = color;
  gl_Position = projectionMatrix * seen;
}
`,Hp=`
precision highp float;
precision highp int;

uniform int coloring;
uniform int textured;
uniform int hasTexture;
uniform int ramp;
uniform float opacity;
uniform vec4 base;
uniform vec3 clay;
uniform sampler2D picture;

in vec3 vNormal;
in vec3 vPlace;
in vec2 vUv;
in vec4 vColor;
in vec3 vTint;
in float vValue;
in float vMissing;

out vec4 fragment;

vec3 linear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 encoded(vec3 c) {
  c = clamp(c, 0.0, 1.0);
  return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

vec3 steps(float t, vec3 a, vec3 b, vec3 c, vec3 d, vec3 e) {
  t *= 4.0;
  if (t < 1.0) return mix(a, b, t);
  if (t < 2.0) return mix(b, c, t - 1.0);
  if (t < 3.0) return mix(c, d, t - 2.0);
  return mix(d, e, t - 3.0);
}

/* Colours for 0 to 1, as sRGB. */
vec3 ramped(float t) {
  t = clamp(t, 0.0, 1.0);
  if (ramp == 1) return steps(t, vec3(0.05, 0.1, 0.9), vec3(0.0, 0.75, 0.85), vec3(0.1, 0.8, 0.2), vec3(0.95, 0.85, 0.1), vec3(0.9, 0.1, 0.05));
  if (ramp == 2) return mix(vec3(0.08), vec3(0.97), t);
  if (ramp == 3) return steps(t, vec3(0.15, 0.09, 0.07), vec3(0.5, 0.1, 0.05), vec3(0.88, 0.3, 0.04), vec3(1.0, 0.68, 0.12), vec3(1.0, 0.98, 0.8));
  return steps(t, vec3(0.11, 0.10, 0.44), vec3(0.49, 0.12, 0.58), vec3(0.79, 0.23, 0.44), vec3(0.96, 0.52, 0.22), vec3(0.98, 0.93, 0.29));
}

void main() {
  vec3 n = normalize(gl_FrontFacing ? vNormal : -vNormal);
  vec3 eye = normalize(-vPlace);
  vec3 albedo = clay;
  float alpha = 1.0;
  if (textured == 1) {
    vec4 seen = base * vColor;
    if (hasTexture == 1) {
      vec4 texel = texture(picture, vUv);
      seen *= vec4(linear(texel.rgb), texel.a);
    }
    albedo = seen.rgb;
    alpha = seen.a;
  }
  bool plain = coloring == 0;
  if (coloring == 1 || coloring >= 4) {
    // Zero in a colour of its own, so that nothing stands apart from little.
    vec3 zero = vec3(0.50, 0.54, 0.59);
    float floor = coloring == 1 ? 0.002 : 0.01;
    albedo = linear(mix(zero, ramped(vValue), smoothstep(0.5 * floor, 1.5 * floor, vValue)));
  } else if (coloring == 2) {
    albedo = vTint;
  } else if (coloring == 3) {
    albedo = vValue > 1.5 ? linear(vec3(0.92, 0.12, 0.12)) : linear(mix(vec3(0.80, 0.84, 0.88), vec3(0.16, 0.36, 0.66), vValue));
  }
  if (!plain && vMissing > 0.5) {
    // Not bound: hatched, so that it is no colour of a ramp.
    float hatch = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 12.0));
    albedo = linear(mix(vec3(0.42, 0.16, 0.42), vec3(0.56, 0.24, 0.56), hatch));
  }
  // A key light over the left shoulder, a fill, the sky, and a rim.
  vec3 key = normalize(vec3(-0.45, 0.7, 0.75));
  vec3 fill = normalize(vec3(0.8, 0.1, 0.5));
  float wrap = max(0.0, (dot(n, key) + 0.25) / 1.25);
  vec3 light = vec3(0.98, 0.96, 0.92) * 0.78 * wrap + vec3(0.55, 0.62, 0.75) * 0.26 * max(0.0, dot(n, fill));
  light += mix(vec3(0.20, 0.19, 0.18), vec3(0.36, 0.39, 0.44), 0.5 + 0.5 * n.y);
  float rim = pow(1.0 - max(0.0, dot(n, eye)), 3.0);
  vec3 seen = albedo * light;
  if (plain) {
    float shine = pow(max(0.0, dot(n, normalize(key + eye))), 38.0);
    seen += 0.09 * shine + 0.07 * rim;
  } else {
    seen += 0.03 * rim;
  }
  fragment = vec4(encoded(seen), alpha * opacity);
  if (fragment.a < 0.02) discard;
}
`,Vp=`
precision highp float;
precision highp int;
uniform vec4 line;
in vec3 vNormal;
in vec3 vPlace;
in vec2 vUv;
in vec4 vColor;
in vec3 vTint;
in float vValue;
in float vMissing;
out vec4 fragment;
void main() { fragment = line; }
`;class Wp{constructor(e){this.rig=e;const t=Math.max(1,e.count);this.data=new Float32Array(4*Ts*t),this.texture=new Hi(this.data,Ts,t,1023,1015)}texture;data;update(e,t){const n=new Float64Array(12);let s=!1;for(let r=0;r<this.rig.count;r++)ol(e,12*r,this.rig.inverse,12*r,n,0),this.rows(n,r,0),t&&(s=this.split(n,r)||s);return this.texture.needsUpdate=!0,s}rows(e,t,n){for(let s=0;s<3;s++){const r=4*(Ts*t+n+s);for(let a=0;a<4;a++)this.data[r+a]=e[3*a+s]}}split(e,t){const n=Xp(e),s=this.rig.places.subarray(3*t,3*t+3),r=new Float64Array(12);let a=!1;for(let v=0;v<3;v++)for(let g=0;g<3;g++){let p=0;for(let S=0;S<3;S++)p+=n[3*g+S]*e[3*v+S];r[3*v+g]=p,a||=Math.abs(p-(v===g?1:0))>1e-5}for(let v=0;v<3;v++)r[9+v]=s[v]-(r[v]*s[0]+r[3+v]*s[1]+r[6+v]*s[2]);this.rows(r,t,5);const o=Gr(n),l=[0,1,2].map(v=>e[v]*s[0]+e[3+v]*s[1]+e[6+v]*s[2]+e[9+v]-(n[v]*s[0]+n[3+v]*s[1]+n[6+v]*s[2])),[c,h,u,d]=o,f=[.5*(l[0]*d+l[1]*u-l[2]*h),.5*(l[1]*d+l[2]*c-l[0]*u),.5*(l[2]*d+l[0]*h-l[1]*c),-.5*(l[0]*c+l[1]*h+l[2]*u)],m=4*(Ts*t+3);return this.data.set(o,m),this.data.set(f,m+4),a}}function Xp(i){let e=Float64Array.from({length:9},(n,s)=>i[s]);const t=Math.max(...e.map(Math.abs));if(!(t>0))return Float64Array.of(1,0,0,0,1,0,0,0,1);e=e.map(n=>n/t),hl(e)<0&&(e=e.map(n=>-n));for(let n=0;n<30;n++){const s=qp(e);if(!s)return Float64Array.of(1,0,0,0,1,0,0,0,1);let r=0;for(let a=0;a<9;a++){const o=.5*(e[a]+s[a]);r=Math.max(r,Math.abs(o-e[a])),e[a]=o}if(r<1e-12)break}return e}function hl(i){return i[0]*(i[4]*i[8]-i[5]*i[7])-i[3]*(i[1]*i[8]-i[2]*i[7])+i[6]*(i[1]*i[5]-i[2]*i[4])}function qp(i){const e=hl(i);if(Math.abs(e)<1e-12)return null;const[t,n,s,r,a,o,l,c,h]=i;return Float64Array.of((a*h-o*c)/e,(o*l-r*h)/e,(r*c-a*l)/e,(s*c-n*h)/e,(t*h-s*l)/e,(n*l-t*c)/e,(n*o-s*a)/e,(s*r-t*o)/e,(t*a-n*r)/e)}const Mo=new Ze,Ni=new Mt;function Gr(i){return Mo.set(i[0],i[3],i[6],0,i[1],i[4],i[7],0,i[2],i[5],i[8],0,0,0,0,1),Ni.setFromRotationMatrix(Mo).normalize(),[Ni.x,Ni.y,Ni.z,Ni.w]}const $p=["surface","joint","joints","influences","difference","map","symmetry"],yn=8;function yo(i){const e=Math.max(1,Math.ceil(i/Un)),t=new Uint32Array(e*Un*yn),n=new Hi(t,2*Un,e,1033,1014);return n.internalFormat="RGBA32UI",n.needsUpdate=!0,n}const Yp=[.52,.53,.56,1];function Zp(i,e){return i.texture===null&&!e.has_colors&&i.color.every(t=>t>.999)}class jp{constructor(e,t,n){this.scene=e,this.rig=t;const s=n.a;this.restPositions=n.f32(3*s),this.restNormals=n.f32(3*s);const r=e.has_uvs?n.f32(2*s):new Float32Array(2*s),a=e.has_colors?n.bytes(4*s):new Uint8Array(4*s).fill(255),o=n.u32(3*n.b),l=this.geometry;l.setAttribute("position",new Ut(this.restPositions.slice(),3)),l.setAttribute("normal",new Ut(this.restNormals.slice(),3)),l.setAttribute("uv",new Ut(r,2)),l.setAttribute("color",new Ut(a,4,!0)),l.setAttribute("map",new Ut(new Float32Array(s),1)),l.setAttribute("image",new Ut(new Float32Array(s).fill(-1),1)),l.setIndex(new Ut(o,1)),this.box.setFromArray(this.restPositions),this.weights=[yo(s),yo(s)],this.weights.forEach((c,h)=>{c.onUpdate=()=>{this.whole[h]=!1}}),this.joints=new Wp(t),this.uniforms={weightsA:{value:this.weights[0]},weightsB:{value:this.weights[1]},joints:{value:this.joints.texture},palette:{value:Kp(e)},slot:{value:0},skinning:{value:0},stretches:{value:0},coloring:{value:0},selected:{value:-1},most:{value:4},mapScale:{value:1},ramp:{value:0},opacity:{value:1},textured:{value:1},clay:{value:new Ie(.52,.53,.55)},line:{value:new pt(.05,.07,.1,.35)}};for(const[c,h]of e.parts.entries())l.addGroup(3*h.triangles[0],3*(h.triangles[1]-h.triangles[0]),c),this.materials.push(new Or({glslVersion:Hs,vertexShader:So,fragmentShader:Hp,side:2,polygonOffset:!0,polygonOffsetFactor:1,polygonOffsetUnits:1,uniforms:{...this.uniforms,base:{value:new pt(...Zp(h,e)?Yp:h.color)},hasTexture:{value:0},picture:{value:null}}}));this.solid=new ve(l,this.materials),this.wire=new ve(l,new Or({glslVersion:Hs,vertexShader:So,fragmentShader:Vp,wireframe:!0,transparent:!0,depthWrite:!1,uniforms:this.uniforms}));for(const c of[this.solid,this.wire])c.frustumCulled=!1,this.group.add(c);this.wire.visible=!1,this.shade("textured")}group=new wn;geometry=new mt;box=new en;uniforms;solid;wire;materials=[];weights;joints;restPositions;restNormals;whole=[!0,!0];mushed=!1;mirrored=!1;partners=null;rows=0;get vertices(){return this.scene.vertices}dispose(){this.geometry.dispose();for(const e of this.materials)e.dispose();this.wire.material.dispose();for(const e of this.weights)e.dispose();this.joints.texture.dispose()}setTexture(e,t){this.scene.parts.forEach((n,s)=>{if(n.texture!==e)return;const r=this.materials[s].uniforms;r.picture.value=t,r.hasTexture.value=1})}setWeights(e){const t=this.weights[e.a],n=t.image.data,s=e.b,r=e.u32(this.vertices*s);n.fill(0);for(let a=0;a<this.vertices;a++)for(let o=0;o<s;o++)n[yn*a+o]=r[s*a+o];this.rows=this.vertices,this.whole[e.a]=!0,t.clearUpdateRanges(),t.needsUpdate=!0}setRows(e){const t=this.weights[e.a],n=t.image.data,s=e.b,r=e.u32(1)[0],a=e.u32(r),o=e.u32(r*s),l=new Set;for(let c=0;c<r;c++){const h=yn*a[c];n.fill(0,h,h+yn);for(let u=0;u<s;u++)n[h+u]=o[s*c+u];l.add(Math.floor(a[c]/Un))}if(this.rows=r,!this.whole[e.a])for(const c of l)t.addUpdateRange(c*Un*yn,Un*yn);t.needsUpdate=!0}holders(e){const t=this.weights[e].image.data,n=new Set;for(let s=0;s<yn*this.vertices;s++)(t[s]&65535)!==0&&n.add(t[s]>>>16);return n}setMirror(e){const t=e.u32(e.a),n=e.u32(e.b),s=this.geometry.getAttribute("image");t.forEach((o,l)=>s.setX(l,o===4294967295?-1:o)),s.needsUpdate=!0;const r=this.uniforms.palette.value,a=r.image.data;n.forEach((o,l)=>a[4*l+3]=o===4294967295?l:o),r.needsUpdate=!0,this.partners=Array.from(n,o=>o===4294967295?null:o),this.mirrored=!0}setMap(e){const t=this.geometry.getAttribute("map");t.array.set(e),t.needsUpdate=!0;const n=Float32Array.from(e).sort(),s=n[Math.floor(.995*(n.length-1))]||n[n.length-1]||1;this.uniforms.mapScale.value=1/s}setMushed(e){if(!e&&!this.mushed)return;this.mushed=e!==null;const{position:t,normal:n}=this.geometry.attributes;t.array.set(e?e.f32(3*this.vertices):this.restPositions),n.array.set(e?e.f32(3*this.vertices):this.restNormals),t.needsUpdate=n.needsUpdate=!0}setPose(e,t){this.uniforms.stretches.value=this.joints.update(e,t==="dual")?1:0}color(e){this.uniforms.coloring.value=$p.indexOf(e)}shade(e){const t=e==="xray";this.uniforms.textured.value=e==="clay"?0:1,this.uniforms.opacity.value=t?.32:1,this.wire.visible=e==="wire",this.materials.forEach((n,s)=>{const r=this.scene.parts[s].color[3]<.999;n.transparent=t||r,n.depthWrite=!t,n.needsUpdate=!0})}posed(e,t){const n=this.weights[0].image.data,s=this.place(e),r=[0,0,0];let a=0;for(let o=0;o<yn;o++){const l=n[yn*e+o],c=(l&65535)/65535;if(c===0)continue;const h=l>>>16,u=Kn(t,12*h,Kn(this.rig.inverse,12*h,s));for(let d=0;d<3;d++)r[d]+=c*u[d];a+=c}return a>0?r:s}place(e){const t=3*e;return[this.restPositions[t],this.restPositions[t+1],this.restPositions[t+2]]}}function Kp(i){const e=Math.max(1,i.joints.length),t=new Float32Array(4*e);i.joints.forEach((s,r)=>t.set([...s.color,1],4*r));const n=new Hi(t,1,e,1023,1015);return n.needsUpdate=!0,n}const Jp=["#4d86c8","#9aa3af","#f08a3c","#a77be0"].map(i=>new Ie(i)),ul=new Ie("#58c48c"),Qp=new Ie("#d8604f");class em{group=new wn;height=0;leaves=null;mesh=null;set(e){const t=e.a;this.leaves={size:e.f32(1)[0],middles:e.f32(3*t),kinds:e.u32(t)}}get counts(){const e=[0,0,0,0];for(const t of this.leaves?.kinds??[])e[t&255]+=1;return e}clear(){this.hide(),this.leaves=null}hide(){this.mesh&&(this.group.remove(this.mesh),this.mesh.geometry.dispose(),this.mesh.material.dispose(),this.mesh.dispose(),this.mesh=null)}slice(e,t,n=[]){if(this.hide(),!this.leaves)return;const{size:s,middles:r,kinds:a}=this.leaves;let o=1/0,l=-1/0;for(let f=e;f<r.length;f+=3)o=Math.min(o,r[f]),l=Math.max(l,r[f]);const c=o+Math.round(t*(l-o)/s)*s;this.height=c;const h=[];for(let f=0;f<a.length;f++){const m=s*2**(a[f]>>8);if(Math.abs(r[3*f+e]-c)>.5*m)continue;const v=[r[3*f],r[3*f+1],r[3*f+2]];v[e]=c;const g=a[f]&255,p=g===1?void 0:n.findLast(S=>dl(S,v));h.push({middle:v,edge:m,color:p?p.inside?ul:Qp:Jp[g]})}for(const f of n.filter(m=>m.inside))h.push(...tm(f,e,c,s));const u=new Ho(new ft(1,1,1),new Gi({transparent:!0,opacity:.9}),Math.max(1,h.length));u.count=h.length;const d=new Ze;h.forEach(({middle:f,edge:m,color:v},g)=>{const p=[.94*m,.94*m,.94*m];p[e]=.25*s,d.makeScale(p[0],p[1],p[2]).setPosition(f[0],f[1],f[2]),u.setMatrixAt(g,d),u.setColorAt(g,v)}),u.frustumCulled=!1,this.mesh=u,this.group.add(u)}}function dl(i,e){const{centre:t,radius:n}=i.shape.sphere;return Math.hypot(e[0]-t[0],e[1]-t[1],e[2]-t[2])<=n}function tm(i,e,t,n){const{centre:s,radius:r}=i.shape.sphere,[a,o]=[(e+1)%3,(e+2)%3],l=[],c=Math.min(40,Math.ceil(r/n));for(let h=-c;h<=c;h++)for(let u=-c;u<=c;u++){const d=[...s];d[e]=t,d[a]+=h*n,d[o]+=u*n,dl(i,d)&&l.push({middle:d,edge:n,color:ul})}return l}const As=3,nm=120;class im{constructor(e,t){this.root=e,this.events=t,this.renderer=new up({canvas:this.canvas,antialias:!0,alpha:!0}),this.renderer.autoClear=!1,this.renderer.setClearColor(0,0);const n=this.renderer.getContext(),s=n.getExtension("WEBGL_debug_renderer_info"),r=s?String(n.getParameter(s.UNMASKED_RENDERER_WEBGL)):"";this.software=/swiftshader|llvmpipe|software|basic render/i.test(r),this.renderer.setPixelRatio(this.software?1:Math.min(2,devicePixelRatio));const a=()=>Object.assign(document.createElement("div"),{className:"pane"});this.panes=[a(),a()],e.append(this.canvas,...this.panes),this.world.add(this.ground.mesh,this.voxels.group),this.gizmo=new cl(this.orbit.camera,this.panes[0]),this.gizmo.setMode("rotate"),this.gizmo.setSpace("local"),this.gizmo.setSize(.62),this.gizmo.setColors("#e0575b","#5aa84f","#4b8ee8","#ffd166"),this.attractors=new Lp(this.orbit.camera,this.panes[0],(o,l,c)=>this.events.shaped(o,l,c),()=>this.draw()),this.dots.frustumCulled=!1,this.dots.renderOrder=15,this.over.add(this.dots,this.gizmo.getHelper(),this.handle,this.paths,this.attractors.group,this.attractors.gizmo.getHelper()),this.gizmo.addEventListener("objectChange",()=>this.turnedHandle()),this.gizmo.addEventListener("mouseUp",()=>this.events.released()),this.gizmo.addEventListener("change",()=>this.draw()),this.selected.on(()=>{this.placeHandle(),this.draw()}),this.hovered.on(()=>this.draw()),new ResizeObserver(()=>this.resize()).observe(e),this.canvas.addEventListener("webglcontextlost",o=>o.preventDefault()),this.canvas.addEventListener("webglcontextrestored",()=>this.draw())}canvas=document.createElement("canvas");panes;orbit=new Gp;software;selected=new at(null);hovered=new at(null);times=[];rendered=[];loupe=null;frames=0;look={shading:"textured",coloring:"surface",skinning:"linear",ramp:0,bones:!0,layout:"one",most:4,wipe:.5};skin=null;bones=null;rig=null;player=null;voxels=new em;attractors;renderer;world=new ya;over=new ya;ground=new kp;gizmo;handle=new yt;paths=new wn;chosen=[];dots=new sc(new mt,new Vo({color:"#ffd166",size:4,sizeAttenuation:!1,depthTest:!1,transparent:!0}));posed=new Float64Array(0);rest=new Float64Array(0);turning=!1;wanted=!1;last=0;first=!1;accent=new Ie("#5b9dff");holders=new Set;size=new qe(1,1);get gizmoBusy(){return this.attractors.busy||this.gizmo.dragging||this.gizmo.object!==void 0&&this.gizmo.axis!==null}setScene(e,t,n,s,r){this.clear(),this.rig=s,this.player=n,this.skin=new jp(e,s,t),this.bones=new xo(e,s),this.posed=new Float64Array(12*s.count),this.rest=new Float64Array(12*s.count),s.world(s.rest,this.rest),this.world.add(this.skin.group),this.over.add(this.bones.group),this.ground.fit(this.skin.box),this.selected.value=null,this.first=!0,r||this.frameAll()}setJoints(e,t){this.bones&&(this.over.remove(this.bones.group),this.bones.dispose(),this.bones=new xo(e,t),this.over.add(this.bones.group),t.world(t.rest,this.rest),this.draw())}clear(){!this.skin||!this.bones||(this.world.remove(this.skin.group),this.over.remove(this.bones.group),this.skin.dispose(),this.bones.dispose(),this.voxels.clear(),this.attractors.clear(),this.setPaths([]),this.gizmo.detach())}findHolders(){this.holders=this.skin?.holders(0)??new Set,this.draw()}setTheme(e,t){this.accent.set(e).convertLinearToSRGB(),this.ground.tint(t),this.draw()}change(e){Object.assign(this.look,e),this.skin&&(e.shading&&this.skin.shade(e.shading),e.skinning&&e.skinning!=="mush"&&this.skin.setMushed(null),e.layout&&(this.resize(),this.orbit.framed&&this.frameAll()),this.draw())}frameAll(){this.skin&&(this.orbit.frame(this.skin.box,this.aspect),this.orbit.framed=!0,this.draw())}frameJoint(e){const t=this.bones?.segments.filter(r=>r.joint===e);if(!t?.length||!this.skin)return;const n=new en;for(const{head:r,tail:a}of t)n.expandByPoint(r).expandByPoint(a);const s=this.skin.box.getSize(new L).length();n.expandByScalar(.07*s),this.orbit.frame(n,this.aspect,.62),this.draw()}framePlace(e,t=.12){if(!this.skin)return;const n=this.skin.box.getSize(new L).length(),s=new en().setFromCenterAndSize(e,new L().setScalar(2*t*n));this.orbit.frame(s,this.aspect,.8),this.draw()}frameBox(e){this.orbit.frame(e,this.aspect,.7),this.draw()}get aspect(){const e=this.panes[0].getBoundingClientRect();return e.height>0?e.width/e.height:1}get worldFromJoints(){return this.posed}placeHandle(){const e=this.selected.value;if(e===null||!this.rig||this.rig.count===0||!this.turning){this.gizmo.detach();return}if(!this.gizmo.dragging){const t=12*e,n=this.posed;this.handle.position.set(n[t+9],n[t+10],n[t+11]);const s=[0,3,6].map(a=>new L(n[t+a],n[t+a+1],n[t+a+2]).normalize()),r=Gr(s.flatMap(a=>a.toArray()));this.handle.quaternion.set(...r),this.handle.updateMatrixWorld()}this.gizmo.object!==this.handle&&this.gizmo.attach(this.handle)}setPaths(e){for(const t of this.paths.children)t.geometry.dispose(),t.material.dispose();this.paths.clear();for(const t of e){const n=new mt().setFromPoints(t.points.map(a=>new L(...a))),s=new Ks({color:new Ie(...t.color),depthTest:!1}),r=new dn(n,s);r.renderOrder=20,this.paths.add(r)}this.draw()}setChosen(e){this.chosen=e,this.draw()}placeDots(){const e=this.dots;if(e.visible=this.chosen.length>0&&!!this.skin,!e.visible||!this.skin)return;const t=new Float32Array(3*this.chosen.length);this.chosen.forEach((n,s)=>t.set(this.skin?.posed(n,this.posed)??[0,0,0],3*s)),e.geometry.dispose(),e.geometry=new mt,e.geometry.setAttribute("position",new Ut(t,3))}setTurning(e){this.turning=e,this.placeHandle(),this.draw()}turnedHandle(){const e=this.selected.value;if(e===null||!this.rig||!this.gizmo.dragging)return;const t=this.rig.parents[e],n=this.handle.quaternion.clone();if(t>=0){const s=this.posed,r=12*t,a=[0,3,6].map(l=>new L(s[r+l],s[r+l+1],s[r+l+2]).normalize()),o=new Mt(...Gr(a.flatMap(l=>l.toArray())));n.premultiply(o.invert())}n.normalize(),this.events.turned(e,[n.x,n.y,n.z,n.w]),this.draw()}resize(){const{width:e,height:t}=this.root.getBoundingClientRect();if(e<2||t<2)return;const n=this.look.layout==="split"||this.look.layout==="rest";this.panes[0].style.width=n?"50%":"100%",this.panes[1].style.display=n?"block":"none",this.size.set(Math.floor(e),Math.floor(t)),this.renderer.setSize(this.size.x,this.size.y,!1),this.draw()}draw(){this.wanted||(this.wanted=!0,requestAnimationFrame(e=>this.frame(e)))}frame(e){this.wanted=!1;const t=performance.now(),n=Math.min(.1,(e-this.last)/1e3);this.last=e,this.player?.playing.value&&(this.player.advance(n),this.draw()),this.events.beforeDraw(n),this.render();for(const s of this.rendered)s();this.times.push(performance.now()-t),this.times.length>nm&&this.times.shift(),this.frames+=1,this.first&&this.skin&&(this.first=!1,requestAnimationFrame(()=>this.events.drawn()))}render(){const{renderer:e,size:t,look:n,skin:s,bones:r,rig:a,player:o}=this;if(e.setScissorTest(!0),e.setViewport(0,0,t.x,t.y),e.setScissor(0,0,t.x,t.y),e.clear(),!s||!r||!a||!o)return;a.world(o.pose,this.posed),this.placeDots(),s.color(n.coloring),s.uniforms.ramp.value=n.ramp,s.uniforms.most.value=n.most,s.uniforms.selected.value=this.selected.value??-1;const l=Math.floor(t.x/2),c=n.skinning;if(n.layout==="split"||n.layout==="rest"){this.orbit.setAspect(l/t.y),this.pass({x:0,width:l,from:0,to:l,slot:0,world:this.posed,skinning:c,gizmo:!0});const h=n.layout==="rest";this.pass({x:l,width:t.x-l,from:l,to:t.x,slot:h?0:1,world:h?this.rest:this.posed,skinning:h&&c==="mush"?"linear":c,gizmo:!1})}else{this.orbit.setAspect(t.x/t.y);const h=n.layout==="wipe"?Math.round(t.x*n.wipe):t.x;this.pass({x:0,width:t.x,from:0,to:h,slot:0,world:this.posed,skinning:c,gizmo:!0}),this.loupe&&this.magnify(this.loupe),n.layout==="wipe"&&this.pass({x:0,width:t.x,from:h,to:t.x,slot:1,world:this.posed,skinning:c,gizmo:!1})}}magnify(e){const{renderer:t,size:n,orbit:s}=this,{camera:r}=s,{left:a,bottom:o,side:l}=e,c=r.projectionMatrix.clone(),h=new Ze().set(As*n.x/l,0,0,-e.u*As*n.x/l,0,As*n.y/l,0,-e.v*As*n.y/l,0,0,1,0,0,0,0,1);r.projectionMatrix.premultiply(h),t.setViewport(a,o,l,l),t.setScissor(a,o,l,l),t.setClearColor(2106927,1),t.clear(),t.setClearColor(0,0),t.render(this.world,r),t.clearDepth(),t.render(this.over,r),r.projectionMatrix.copy(c)}pass(e){const{renderer:t,size:n,skin:s,bones:r,look:a}=this;if(!s||!r||e.to<=e.from)return;t.setViewport(e.x,0,e.width,n.y),t.setScissor(e.from,0,e.to-e.from,n.y),s.uniforms.slot.value=e.slot,s.uniforms.skinning.value=["linear","dual","mush"].indexOf(e.skinning),s.setPose(e.world,e.skinning),r.group.visible=a.bones,r.setPose(e.world),r.arrange(this.orbit.camera,this.selected.value,this.hovered.value,this.accent,this.holders);const o=this.gizmo.getHelper(),l=this.attractors.gizmo.getHelper();e.gizmo&&this.placeHandle();const[c,h]=[o.visible,l.visible];o.visible=c&&e.gizmo,l.visible=h&&e.gizmo,t.render(this.world,this.orbit.camera),t.clearDepth(),t.render(this.over,this.orbit.camera),o.visible=c,l.visible=h,e.gizmo||r.setPose(this.posed)}pixels(){this.render();const e=this.renderer.getContext(),t=new Uint8Array(4*e.drawingBufferWidth*e.drawingBufferHeight);return e.readPixels(0,0,e.drawingBufferWidth,e.drawingBufferHeight,e.RGBA,e.UNSIGNED_BYTE,t),t}}const Hr={method:"best",options:{},influences:4,deform:[],prune:.001,regions:[],locks:{vertices:[],joints:[]}};class sm{welcome=new at(null);library=new at([]);scene=new at(null);standing=new at(null);jobs=new at([]);lost=new at(null);look=new at(null);picked=new at(null);pinned=new at(null);report=new at(null);tab=new at("bind");brushing=new at(null);shaped=()=>{};held=new Set;painting;link;viewer;player=null;rig=null;maps=new Map;toast=()=>{};draft=structuredClone(Hr);drafted=new at(0);tried=[];dragged=[];mirrored=new at(0);toSelect=null;mirrorEdits=!1;dragging=null;dragBusy=!1;pending=null;pictures=new Map;trying=null;busy=!1;mushing=!1;mushFor="";followed="";constructor(e){this.viewer=new im(e,{turned:(t,n)=>this.player?.turn(t,n),released:()=>this.keepPose(),drawn:()=>{document.title=this.scene.value?.name??"Ligament",document.documentElement.dataset.drawn=String(this.scene.value?.serial??0),performance.mark("drawn")},beforeDraw:()=>this.beforeDraw(),shaped:(t,n,s)=>this.shaped(t,n,s)}),this.link=new fp({welcome:t=>{this.lost.value=null,this.welcome.value=t,this.library.value=t.library},message:(t,n)=>this.hear(t,n),frame:t=>this.frame(new dp(t)),lost:(t,n)=>{this.lost.value={message:t,final:n},this.jobs.value=[]}}),this.look.value={...this.viewer.look},this.painting=new Sp(this)}hear(e,t){if(e==="scene")this.pending=t;else if(e==="state")this.stand(t);else if(e==="joints")this.moveJoints(t);else if(e==="progress"){const n=t;this.jobs.value=[...this.jobs.value.filter(s=>s.job!==n.job),n]}else if(e==="ended"){const n=t;this.jobs.value=this.jobs.value.filter(s=>s.job!==n.job)}else e==="error"&&this.toast({text:String(t),kind:"error"})}stand(e){const t=this.standing.value;t?.serial!==e.serial&&(this.report.value=null),e.state.bind?this.draft=structuredClone(e.state.bind):t?.serial!==e.serial&&(this.draft=structuredClone(Hr)),this.standing.value=e,this.drafted.value+=1,this.player?.setState(e.state.pose,e.state.keys),t&&JSON.stringify(t.state.rig)!==JSON.stringify(e.state.rig)&&this.player?.renew(),!t?.slots[0]&&e.slots[0]&&this.showClip(),!e.state.other&&["split","wipe"].includes(this.viewer.look.layout)&&this.setLook({layout:"one"}),!e.state.other&&this.viewer.look.coloring==="difference"&&this.setLook({coloring:"surface"}),this.viewer.draw()}moveJoints(e){const t=this.scene.value;!t||!this.rig||t.serial!==e.serial||(t.joints=e.joints,t.bones=e.bones,this.player?.shift(this.rig.moveTo(e.joints)),this.viewer.setJoints(t,this.rig),this.viewer.findHolders())}frame(e){if(e.kind===Vt.Mesh&&this.pending?.serial===e.serial){this.open(this.pending,e),this.pending=null;return}if(e.kind===Vt.Thumbnail){this.pictures.get(e.a)?.(e.bytes(e.b).slice()),this.pictures.delete(e.a);return}const t=this.viewer.skin;!t||e.serial!==this.scene.value?.serial||(e.kind===Vt.Weights?t.setWeights(e):e.kind===Vt.Rows?t.setRows(e):e.kind===Vt.Texture?this.decode(e):e.kind===Vt.Clip?this.setClip(e):e.kind===Vt.Map?this.maps.set(e.a,e.f32(e.b)):e.kind===Vt.Voxels?this.viewer.voxels.set(e):e.kind===Vt.Mirror?t.setMirror(e):e.kind===Vt.Deformed&&this.viewer.look.skinning==="mush"&&t.setMushed(e),(e.kind===Vt.Weights||e.kind===Vt.Rows)&&(this.mushFor="",e.a===0&&!this.busy&&this.viewer.findHolders()),this.viewer.draw())}open(e,t){const n=new pp(e),s=this.scene.value,r=s?.name===e.name&&s.vertices===e.vertices&&this.standing.value?.history.length!==1,a=this.viewer.selected.value,o=this.toSelect??(r&&a!==null?s.joints[a]?.name:void 0);this.toSelect=null,this.rig=n,this.player=new _p(n,h=>void this.ask({clip:{clip:h}})),this.player.source.on(()=>this.viewer.draw()),this.player.playing.on(()=>this.viewer.draw()),this.viewer.setScene(e,t,this.player,n,r),this.maps.clear(),this.picked.value=null,this.pinned.value=null;const l=this.standing.value?.serial===e.serial?this.standing.value.state:null;l&&this.player.setState(l.pose,l.keys),r||this.setLook({coloring:"surface",layout:"one",skinning:"linear"}),this.viewer.change(this.viewer.look),this.scene.value=e;const c=e.joints.findIndex(h=>h.name===o);c>=0&&this.select(c),r&&this.mirrorEdits&&this.mirror(),this.showClip()}showClip(){if(this.tab.value==="rig")return;const e=this.scene.value?.clips.filter(s=>s.kind==="file")??[],t=this.standing.value;t?.serial===this.scene.value?.serial&&!!t?.slots[0]&&e.length>0&&t?.state.pose.length===0&&this.player?.choose({clip:0})}async decode(e){const t=e.bytes(e.b).slice();try{const n=await createImageBitmap(new Blob([t]),{imageOrientation:"none"}),s=new Ot(n);s.wrapS=s.wrapT=1e3,s.flipY=!1,s.colorSpace="",s.anisotropy=4,s.generateMipmaps=!0,s.minFilter=1008,s.needsUpdate=!0,this.viewer.skin?.setTexture(e.a,s),this.viewer.draw()}catch{this.toast({text:"A picture of this character cannot be shown.",kind:"info"})}}setClip(e){const t=e.f32(1)[0],n=e.u32(1)[0],s=e.f32(e.b*n*10);this.player?.setMotion(e.a,new gp(t,e.b,s))}setLook(e){e.coloring==="symmetry"&&this.viewer.skin&&!this.viewer.skin.mirrored&&this.mirror(),this.viewer.change(e),this.look.value={...this.viewer.look}}framePart(e){const t=this.viewer.skin,n=this.scene.value?.parts[e]?.vertices;if(!t||!n)return;const s=new en;for(let r=n[0];r<n[1];r++)s.expandByPoint(new L(...t.place(r)));this.viewer.frameBox(s)}select(e){this.viewer.selected.value=e}async ask(e,t=!1){try{return await this.link.ask(e,t?this.standing.value?.revision:void 0)}catch(n){const s=n.message,r=s.startsWith("cancelled");return this.toast({text:r?"Cancelled; nothing was changed.":wo(s),kind:r?"info":"error"}),null}}tell(e,t=!1){return this.ask(e,t)}keepHands(){return this.ask({keep_hands:{}})}openItem(e){return this.ask({open:{item:e}})}async drop(e){try{const t=await this.link.drop(e),n=await this.ask({library:{}});if(n&&(this.library.value=n),t.length===0){this.toast({text:"None of these files holds a mesh that can be opened.",kind:"error"});return}await this.openItem(t[t.length-1])}catch(t){this.toast({text:wo(t.message),kind:"error"})}}bind(e,t){return this.ask({bind:t===void 0?{settings:e}:{settings:e,label:t}},!0)}try(e){this.trying=structuredClone(e),this.busy||this.tryOn()}async tryOn(){for(this.busy=!0;this.trying;){const e=this.trying;this.trying=null;const t=bo(e)&&this.player?Array.from(this.player.pose):null,n=await this.ask({try:{settings:e,pose:t}});n?.milliseconds!==void 0&&this.tried.push({milliseconds:n.milliseconds,rows:n.rows,bytes:n.bytes})}this.busy=!1}async keep(e,t){this.trying=null,await this.bind(e,t)}cancel(e){return this.ask({cancel:{job:e}})}compare(e){return this.ask({compare:{other:e}},!0)}go(e){return this.ask({go:{step:e}},!0)}undo(){const e=this.standing.value;e&&e.at>0&&this.go(e.at-1)}redo(){const e=this.standing.value;e&&e.at+1<e.history.length&&this.go(e.at+1)}keepPose(){const e=this.viewer.selected.value,t=e===null?"":this.scene.value?.joints[e].name??"";this.player&&this.setPose(this.player.turns,`Turn ${t}`)}setPose(e,t){return this.ask({pose:{turns:e,label:t}},!0)}setKeys(e,t){return this.ask({keys:{keys:e,label:t}},!0)}recover(e){return this.ask({recover:{accept:e}})}why(e){return this.ask({why:{vertex:e}})}async check(e){const t=await this.ask({check:{range:e}});t&&(this.report.value=t)}export(e){return this.ask({export:{format:e}})}bindOther(e,t){return this.ask({bind_other:{item:e,format:t}})}save(){return this.ask({save:{}})}newLink(){return this.ask({link:{}})}async voxels(){return await this.ask({voxels:{}})!==null}extract(e){const t=e.template==="found"?{}:{template:e.template,names:e.names};return this.ask({extract:{detail:e.detail,...t}})}setRig(e,t){return this.ask({rig:{rig:e,label:t}},!0)}async edit(e,t){this.dragging=null;const n=this.standing.value?.state.rig;n&&await this.setRig({session:n.session,script:[...n.script,...e]},t)}drag(e){this.dragging=e,this.dragBusy||this.dragOn()}async dragOn(){for(this.dragBusy=!0;this.dragging;){const e=this.dragging;this.dragging=null;const t=await this.ask({drag:{script:e}});t?.milliseconds!==void 0&&this.dragged.push(t)}this.dragBusy=!1}async snap(e,t,n){const{origin:s,direction:r}=this.viewer.orbit.ray(e,t),a=await this.ask({snap:{origin:s.toArray(),direction:r.toArray(),whole:n}});return Array.isArray(a)?a:null}whichJoints(e){return this.ask({which_joints:{deform:e}})}partnerOf(e){return this.viewer.skin?.partners?.[e]??null}bothSides(e){const t=this.scene.value?.joints??[];if(!this.mirrorEdits)return e;const n=e.flatMap(s=>{const r=t.findIndex(u=>u.name===s.joint),a=r<0?null:this.partnerOf(r);if(a===null||a===r)return[];const o={...s,joint:t[a].name},l=s.to,c=(t[r].bind[9]+t[a].bind[9])/2;if(l)return[{...o,to:[2*c-l[0],l[1],l[2]]}];const h=s.by;return[h?{...o,by:[-h[0],h[1],h[2]]}:o]});return[...e,...n]}async mirror(){const e=await this.ask({mirror:{}});if(this.mirrored.value+=1,e&&e.share<.5){const t=e.share<.01?"has no mirror images":`has mirror images for ${Math.round(100*e.share)} % of its vertices only`;this.toast({text:`This character ${t}; the rest is hatched.`,kind:"info"})}}async thumbnail(e){const t=new Promise((n,s)=>{this.link.ask({thumbnail:{item:e}},void 0,r=>this.pictures.set(r,n)).catch(s)});try{return await createImageBitmap(new Blob([await t]))}catch{return null}}async brush(e,t,n){const{origin:s,direction:r}=this.viewer.orbit.ray(e,t),a=this.player?Array.from(this.player.pose):null,o={brush:{origin:s.toArray(),direction:r.toArray(),pose:a,radius:n}};return await this.ask(o)??{vertices:[],source:[]}}async pick(e,t,n,s){const{origin:r,direction:a}=this.viewer.orbit.ray(e,t),o=this.player&&!s?Array.from(this.player.pose):null,l={pick:{origin:r.toArray(),direction:a.toArray(),pose:o,slot:n}};try{const c=await this.link.ask(l);return c?.skipped?null:c}catch{return null}}beforeDraw(){const{player:e,viewer:t}=this;if(!e)return;if(e.update(),t.look.skinning==="mush"&&!this.mushing&&this.standing.value?.slots[0]){const s=Array.from(e.pose),r=s.join();r!==this.mushFor&&(this.mushing=!0,this.mushFor=r,this.ask({mush:{pose:s,slot:0}}).then(()=>{this.mushing=!1,t.draw()}))}const n=this.standing.value?.state.bind;if(n&&bo(n)&&!this.busy){const s=e.pose.join();s!==this.followed&&(this.followed=s,this.try(n))}}}function bo(i){return i.regions.some(e=>typeof e.falloff=="object"&&e.falloff!==null)}function wo(i){const e=i.charAt(0).toUpperCase()+i.slice(1);return/[.!?]$/.test(e)?e:`${e}.`}function M(i,e={},...t){const n=document.createElement(i);for(const[s,r]of Object.entries(e))r==null||r===!1||(s.startsWith("on")?n.addEventListener(s.slice(2),r):s==="class"?n.className=String(r):s in n&&!s.includes("-")?n[s]=r:n.setAttribute(s,r===!0?"":String(r)));return n.append(...t.filter(s=>s!=null&&s!==!1)),n}let Bi=null;const Zs=new Map;addEventListener("pointerdown",i=>Bi=i.target,!0);for(const i of["pointerup","pointercancel","blur"])addEventListener(i,()=>{Bi=null,setTimeout(()=>{for(const[e,t]of Zs)e.replaceChildren(...t);Zs.clear()})},!0);function Oe(i,...e){const t=e.filter(n=>n!=null&&n!==!1).map(n=>typeof n=="string"?document.createTextNode(n):n);if(Bi&&Bi!==i&&i.contains(Bi)){Zs.set(i,t);return}Zs.delete(i),i.replaceChildren(...t)}const rm={open:"M3 6.5V18a1.5 1.5 0 0 0 1.5 1.5h15A1.5 1.5 0 0 0 21 18V8.5A1.5 1.5 0 0 0 19.5 7H12L9.5 4.5h-5A1.5 1.5 0 0 0 3 6z",undo:"M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",redo:"M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",export:"M12 15V3M7 8l5-5 5 5M4 15v4a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-4",save:"M5 3h11l5 5v11a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM8 3v5h7V3M7 21v-7h10v7",sun:"M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",help:"M9.2 9a2.9 2.9 0 1 1 4 2.7c-.8.4-1.2 1-1.2 1.8M12 17h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",play:"M7 4.5v15l12-7.5z",pause:"M7 5v14M17 5v14",search:"M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4",close:"M6 6l12 12M18 6L6 18",check:"M5 12.5l4.5 4.5L19 7.5",warn:"M12 4L2.8 19.5h18.4zM12 10v4.5M12 17h.01",frame:"M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4M9 20H5a1 1 0 0 1-1-1v-4",bone:"M6 5l3 3 2 8 5 3M9 8l7 3 0 8M9 8l2 8M16 11l-5 5",beside:"M4 5h7v14H4zM13 5h7v14h-7z",flat:"M4 7l8-4 8 4v10l-8 4-8-4zM4 7l8 4 8-4M12 11v10",wipe:"M4 5h16v14H4zM12 3v18",copy:"M9 9h11v11H9zM5 15H4V4h11v1",target:"M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12 2v4M12 18v4M2 12h4M18 12h4",key:"M14 6a4 4 0 1 1-3.4 6.1L4 19v2h3v-2h2v-2h2l1.3-1.3A4 4 0 0 1 14 6z",plus:"M12 5v14M5 12h14",link:"M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1",chevron:"M9 6l6 6-6 6",reset:"M4 12a8 8 0 1 0 3-6.2M4 4v4h4"},Eo="http://www.w3.org/2000/svg";function Ye(i,e=16){const t=document.createElementNS(Eo,"svg");t.setAttribute("viewBox","0 0 24 24"),t.setAttribute("width",String(e)),t.setAttribute("height",String(e)),t.setAttribute("aria-hidden","true"),t.classList.add("icon");const n=document.createElementNS(Eo,"path");return n.setAttribute("d",rm[i]??""),t.append(n),t}function Xt(i,e,t,n){const s=M("div",{class:"segmented",role:"radiogroup","aria-label":i});for(const r of e){const a=M("button",{type:"button",role:"radio","aria-checked":String(r.value===t),"data-value":r.value,title:r.tip,disabled:r.disabled,onclick:()=>n(r.value)},r.title);s.append(a)}return s}function qt(i){const e=i.shown??(s=>s.toFixed(2)),t=M("output",{},e(i.value)),n=M("input",{type:"range",name:i.name,min:i.min,max:i.max,step:i.step,"aria-label":i.label,oninput:()=>{t.textContent=e(n.valueAsNumber),i.moved(n.valueAsNumber)},onchange:()=>i.released?.(n.valueAsNumber)});return n.value=String(i.value),M("label",{class:"slider"},M("span",{},i.label),t,n)}function mn(i,e,t,n,s){const r=M("select",{name:e,"aria-label":i,onchange:()=>s(r.value)});for(const a of t)r.append(M("option",{value:a.value,selected:a.value===n},a.title));return M("label",{class:"field"},M("span",{},i),r)}function vi(i,e,t,n){const s=M("input",{type:"checkbox",name:e,checked:t,onchange:()=>n(s.checked)});return M("label",{class:"toggle"},s,M("span",{},i))}function kn(i,e,t){return M("p",{class:t?"goal done":"goal"},t?Ye("check",14):null,t?e:i)}function am(i){return i<1e6?`${Math.max(1,Math.round(i/1e3))} KB`:`${(i/1e6).toFixed(1)} MB`}function om(i,e){const t=M("span",{class:"file-name"},"Opening…"),n=M("span",{class:"faint figure"}),s=Rs("undo","Undo (Ctrl+Z)",()=>i.undo()),r=Rs("redo","Redo (Ctrl+Shift+Z)",()=>i.redo());s.dataset.act="undo",r.dataset.act="redo";const a=M("button",{class:"button quiet file","aria-haspopup":"dialog","data-act":"open",onclick:()=>pl(i)},Ye("open",16),t);return i.scene.on(o=>{if(!o)return;t.textContent=o.name;const l=o.joints.filter(c=>c.in_skin).length;n.textContent=`${o.vertices.toLocaleString("en")} vertices · ${l} joints`}),i.standing.each(o=>{s.disabled=!o||o.at===0,r.disabled=!o||o.at+1>=o.history.length,o&&o.at>0&&(s.title=`Undo: ${o.history[o.at]} (Ctrl+Z)`)}),M("header",{class:"top"},M("span",{class:"mark","aria-label":"Ligament"},lm()),a,n,M("span",{class:"grow"}),s,r,M("span",{class:"gap"}),cm("save","Save project",()=>void i.save().then(o=>Wi(i,o))),hm(i),M("span",{class:"gap"}),Rs("sun","Dark or light",()=>um(i)),Rs("help","Shortcuts (?)",e))}function lm(){const i=Ye("bone",20);return i.classList.add("brand"),i}function Rs(i,e,t){return M("button",{class:"button quiet icon-only",title:e,"aria-label":e,onclick:t},Ye(i,17))}function cm(i,e,t){return M("button",{class:"button quiet","data-act":i,onclick:t},Ye(i,16),e)}function hm(i){const e=M("div",{class:"menu",role:"menu",hidden:!0}),t=M("button",{class:"button primary","aria-haspopup":"menu","data-act":"export",onclick:()=>{e.hidden=!e.hidden,e.hidden||e.querySelector("button")?.focus()}},Ye("export",16),"Export"),n=M("div",{class:"menu-box"},t,e);return i.welcome.on(s=>{Oe(e,...(s?.formats??[]).map(r=>M("button",{role:"menuitem","data-format":r.ending,onclick:()=>{e.hidden=!0,i.export(r.ending).then(a=>Wi(i,a))}},M("span",{},r.title),M("span",{class:"faint"},`.${r.ending}`))))}),document.addEventListener("pointerdown",s=>{n.contains(s.target)||(e.hidden=!0)}),n.addEventListener("keydown",s=>{const r=[...e.querySelectorAll("button")],a=r.indexOf(document.activeElement);s.key==="Escape"?(e.hidden=!0,t.focus()):s.key==="ArrowDown"&&!e.hidden?r[(a+1)%r.length]?.focus():s.key==="ArrowUp"&&!e.hidden&&r[(a+r.length-1)%r.length]?.focus()}),n}function Wi(i,e){e&&(document.documentElement.dataset.written=e.path,i.toast({text:`Wrote ${e.path} (${am(e.bytes)})`,kind:"done",...e.ticket?{action:{title:"Download a copy",run:()=>{M("a",{href:`/download/${e.ticket}`,download:e.name}).click()}}}:{}}))}const fl="ligament-theme";function Vr(i){const e=localStorage.getItem(fl),t=e?e==="light":matchMedia("(prefers-color-scheme: light)").matches;document.documentElement.dataset.theme=t?"light":"dark";const n=getComputedStyle(document.documentElement);i.viewer.setTheme(n.getPropertyValue("--accent").trim(),n.getPropertyValue("--grid").trim())}function um(i){const e=document.documentElement.dataset.theme==="light";localStorage.setItem(fl,e?"dark":"light"),Vr(i)}const To=new Map;let Ao=Promise.resolve();function dm(i,e){const t=M("canvas",{class:"thumbnail",width:160,height:160});if(e.kind==="project")return t;let n=To.get(e.id);return n||(n=Ao.then(()=>i.thumbnail(e.id)),Ao=n,To.set(e.id,n)),n.then(s=>{s&&t.getContext("2d")?.drawImage(s,0,0)}),t}function pl(i){const e=M("input",{type:"search",placeholder:"Find","aria-label":"Find",oninput:()=>r()}),t=M("div",{class:"items"}),n=M("input",{type:"file",multiple:!0,class:"hidden-input",onchange:()=>{s.close(),n.files?.length&&i.drop([...n.files])}}),s=M("dialog",{class:"dialog","aria-label":"Open"},M("header",{},M("h2",{},"Open a character"),M("button",{class:"button quiet icon-only","aria-label":"Close",onclick:()=>s.close()},Ye("close"))),M("label",{class:"search"},Ye("search",15),e),t,M("footer",{},M("p",{class:"note"},"Or drop files anywhere: glTF, VRM, FBX, USD, OBJ, PLY, STL, projects."),M("button",{class:"button",onclick:()=>n.click()},"Choose files…"),n)),r=()=>{const a=e.value.trim().toLowerCase(),o=c=>!a||`${c.name} ${c.note}`.toLowerCase().includes(a),l=(c,h)=>{const u=i.library.value.filter(d=>h.includes(d.kind)&&o(d));return u.length===0?null:M("div",{},M("h3",{},c),...u.map(d=>M("button",{class:"item","data-item":d.name,onclick:()=>{s.close(),i.openItem(d.id)}},dm(i,d),M("span",{class:"item-name"},d.name),M("span",{class:"faint"},d.note))))};Oe(t,l("Files",["file","dropped","project"]),l("Samples",["sample"]))};r(),s.addEventListener("close",()=>s.remove()),s.addEventListener("click",a=>{a.target===s&&s.close()}),document.body.append(s),s.showModal()}function fm(i){const e=M("section",{class:"panel","aria-label":"Pose"}),t=()=>{const{scene:n,standing:s,look:r}={scene:i.scene.value,standing:i.standing.value,look:i.look.value};if(!n||!s||!r)return Oe(e);const a=i.viewer.selected.value,o=a===null?null:n.joints[a]?.name??null,l=s.state.pose.length,c=s.state.keys;Oe(e,kn("Bend it until something breaks. Select a joint and drag a ring.",`${l} ${l===1?"joint is":"joints are"} turned. Does the skin follow as it should?`,l>0),M("div",{class:"stack"},M("span",{class:"label"},"How the skin follows"),Xt("How the skin follows",[{value:"linear",title:"Linear",tip:"What every engine does"},{value:"dual",title:"Dual quaternion",tip:"Keeps volume under twist"},{value:"mush",title:"Delta mush",tip:"Smoothed, detail put back; found by the server"}],r.skinning,h=>i.setLook({skinning:h}))),M("div",{class:"row"},M("button",{class:"button",disabled:a===null||!s.state.pose.some(h=>h.joint===a),onclick:()=>void i.setPose(s.state.pose.filter(h=>h.joint!==a),`Reset ${o??""}`)},Ye("reset",14),"Reset joint"),M("button",{class:"button",disabled:l===0,onclick:()=>void i.setPose([],"Reset pose")},Ye("reset",14),"Reset all")),a!==null?mm(i,a):null,M("hr"),M("div",{class:"row"},M("span",{class:"label"},"Poses kept"),M("button",{class:"button",title:"Keep the pose that is shown (K)",onclick:()=>gl(i)},Ye("key",14),"Keep pose")),c.length===0?M("p",{class:"note"},"Kept poses become a clip, half a second apart."):M("ul",{class:"list"},...c.map((h,u)=>M("li",{},M("button",{class:"plain",onclick:()=>i.rig&&i.player?.hold(i.rig.turned(h.turns))},`Pose ${u+1}`),M("span",{class:"figure"},`${h.seconds.toFixed(2)} s`),M("button",{class:"button icon-only","aria-label":`Remove pose ${u+1}`,onclick:()=>void i.setKeys(ml(c.filter(d=>d!==h)),`Remove pose ${u+1}`)},Ye("close",13)))))),i.viewer.draw()};return i.standing.on(t),i.look.on(t),i.scene.on(t),i.viewer.selected.on(t),t(),e}const pm=.5;function ml(i){return i.map((e,t)=>({...e,seconds:t*pm}))}function gl(i){const e=i.standing.value?.state.keys??[];if(!i.rig||!i.player)return;const t=i.rig.turns(i.player.pose);i.setKeys(ml([...e,{seconds:0,turns:t}]),`Keep pose ${e.length+1}`)}function mm(i,e){const t=(s,r)=>{const a=i.player;if(!a)return;const o=on*e,[l,c,h,u]=a.pose.subarray(o+3,o+7),d=r*Math.PI/360,f=[0,0,0,Math.cos(d)];f[s]=Math.sin(d);const m=[u*f[0]+l*f[3]+c*f[2]-h*f[1],u*f[1]+c*f[3]+h*f[0]-l*f[2],u*f[2]+h*f[3]+l*f[1]-c*f[0],u*f[3]-l*f[0]-c*f[1]-h*f[2]],v=Math.hypot(...m),g=a.turn(e,m.map(p=>p/v));i.setPose(g,`Turn ${i.scene.value?.joints[e].name??""}`)},n=s=>M("div",{class:"row turn"},M("span",{class:`axis axis-${s}`},"XYZ"[s]),...[-90,-15,15,90].map(r=>M("button",{class:"button quiet","data-turn":`${"xyz"[s]}${r}`,onclick:()=>t(s,r)},`${r>0?"+":"−"}${Math.abs(r)}°`)));return M("div",{class:"stack tight"},n(0),n(1),n(2))}function gm(i,e){const t=i.viewer.skin,n=i.look.value;if(!t||!n||i.brushing.value)return;const s=new Float32Array(t.vertices),r=new Set,a=t.box.max.distanceTo(t.box.min);let o=.03,l=!1,c=null;const h=(f,m)=>{if(l){c=[f,m];return}l=!0,i.brush(f,m,o*a).then(v=>{l=!1;for(const g of v.vertices)s[g]=1;for(const g of v.source)r.add(g);if(t.setMap(s),i.viewer.draw(),c){const[g,p]=c;c=null,h(g,p)}})},u=f=>{d.remove(),i.brushing.value=null,i.setLook({coloring:n.coloring,bones:n.bones}),f&&r.size>0&&e([...r].sort((m,v)=>m-v))},d=M("div",{class:"brushing"},M("span",{},"Drag over the skin"),qt({label:"Radius",name:"brush-radius",min:.005,max:.1,step:.005,value:o,shown:f=>`${(100*f).toFixed(1)} %`,moved:f=>o=f}),M("button",{class:"button primary","data-act":"keep-region",onclick:()=>u(!0)},"Keep region"),M("button",{class:"button quiet",onclick:()=>u(!1)},"Discard"));i.viewer.root.append(d),t.setMap(s),i.setLook({coloring:"map",bones:!1}),i.brushing.value={stamp:h,done:u}}function _m(i,e,t){const n=i.scene.value,s=[...new Set(n?.parts.filter(l=>l.carried_by===null).map(l=>l.name)??[])],r=[...new Set(n?.parts.map(l=>l.material).filter(Boolean)??[])],a=M("div",{class:"stack"});e.regions.forEach((l,c)=>a.append(xm(i,l,c,t)));const o=[{value:"",title:"Add a region…"},...s.map(l=>({value:`part:${l}`,title:`Part ${l}`})),...r.map(l=>({value:`material:${l}`,title:`Material ${l}`})),{value:"brush",title:"Brush it onto the skin…"},{value:"ball",title:"Ball around the pinned vertex"}];return M("div",{class:"stack"},a,mn("Regions with rules of their own","region",o,"",l=>{if(l==="brush"){gm(i,h=>{t(u=>u.regions.push({of:{vertices:h},falloff:.5}),!0,`Region: ${h.length} vertices`)});return}const c=vm(i,l);c&&t(h=>h.regions.push({of:c,falloff:.5}),!0,`Region: ${_l(c)}`)}))}function vm(i,e){if(e==="ball"){const r=i.pinned.value;if(!r||!i.viewer.skin)return i.toast({text:"Click a vertex first; the ball goes around it.",kind:"info"}),null;const a=i.viewer.skin.box.max.distanceTo(i.viewer.skin.box.min);return{sphere:{centre:i.viewer.skin.place(r.vertex),radius:.06*a}}}const[t,...n]=e.split(":"),s=n.join(":");return t==="part"?{part:s}:t==="material"?{material:s}:null}function _l(i){return"part"in i?i.part:"material"in i?i.material:"sphere"in i?"ball":`${i.vertices.length} vertices`}function xm(i,e,t,n){const s=u=>d=>u(d.regions[t]),r=_l(e.of),a=i.scene.value?.joints.filter(u=>u.in_skin).map(u=>u.name)??[],o=typeof e.falloff=="object"&&e.falloff!==null?e.falloff:null,l=e.drivers?.[0]??"",c=i.viewer.selected.value,h=c===null?null:i.scene.value?.joints[c].name??null;return M("div",{class:"card"},M("div",{class:"row"},M("strong",{},r),M("button",{class:"button icon-only",title:"Remove this region","aria-label":`Remove the region ${r}`,onclick:()=>n(u=>u.regions.splice(t,1),!0,`Remove region ${r}`)},Ye("close",14))),l?null:qt({label:o?"Falloff at rest":"Falloff",name:`region-${t}`,min:0,max:1,step:.01,value:o?o.rest:typeof e.falloff=="number"?e.falloff:.5,moved:u=>n(s(d=>d.falloff=o?{...o,rest:u}:u),!1),released:u=>n(s(d=>d.falloff=o?{...o,rest:u}:u),!0,`Falloff of ${r}`)}),o?qt({label:`Falloff when ${o.joint} bends ${o.angle}°`,name:`region-bent-${t}`,min:0,max:1,step:.01,value:o.bent,moved:u=>n(s(d=>d.falloff={...o,bent:u}),!1),released:u=>n(s(d=>d.falloff={...o,bent:u}),!0,`Falloff of ${r}`)}):null,mn("Follows",`region-driver-${t}`,[{value:"",title:"All joints"},...a.map(u=>({value:u,title:`${u} alone, stiff`}))],l,u=>n(s(d=>{d.drivers=u?[u]:null,u&&(d.falloff=null)}),!0,u?`${r} follows ${u}`:`${r} follows all`)),!l&&h&&!o?M("button",{class:"button quiet",onclick:()=>n(s(u=>{const d=typeof u.falloff=="number"?u.falloff:.5;u.falloff={joint:h,rest:d,bent:1,angle:90}}),!0,`Falloff of ${r} follows ${h}`)},`Let it follow the angle of ${h}`):null)}let Wt=null,Wr="translate",Cs=!1;function pi(i){return i.options.shapes??[]}function Sm(i,e,t){const{viewer:n,scene:s}=i,r=s.value?.joints??[],a=t?pi(e):[];t&&Wt!==null&&Wt>=a.length&&(Wt=null);const o=a.flatMap(c=>{const h=r.find(u=>u.name===c.joint);return h?[{shape:c.shape,joint:h.bind.slice(9,12),color:h.color}]:[]}),l=n.skin?n.skin.box.max.distanceTo(n.skin.box.min):1;n.attractors.set(o,t?Wt:null,Wr,l),o.length>0&&!Cs&&i.rig?(Cs=!0,i.player?.hold(i.rig.rest)):o.length===0&&Cs&&(Cs=!1,i.player?.seek(i.player.seconds.value)),n.draw()}function Mm(i,e,t,n){const s=pi(e),r=()=>{const u=i.viewer.selected.value;return u===null?null:i.scene.value?.joints[u].name??null},a=i.viewer.skin?i.viewer.skin.box.max.distanceTo(i.viewer.skin.box.min):1;i.shaped=(u,d,f)=>{f&&t(m=>{const v=structuredClone(pi(m));v[u]&&(v[u].shape=d),m.options.shapes=v})};const o=u=>{const d=r();if(!d)return i.toast({text:"Select the joint that skin is to follow first.",kind:"info"});Wt=s.length,t(f=>f.options.shapes=[...pi(f),{joint:d,shape:u}])},l=Number((.06*a).toPrecision(3)),c=[0,0,0],h=r();return M("div",{class:"stack"},M("p",{class:"note"},h?`Skin near a shape follows ${h}, as if a bone were there.`:"Select a joint; skin near a shape follows it, as if a bone were there."),M("div",{class:"row"},M("button",{class:"button","data-shape":"point",onclick:()=>o({point:{offset:c}})},Ye("plus",13),"Point"),M("button",{class:"button","data-shape":"ball",onclick:()=>o({ball:{offset:c,radius:l}})},Ye("plus",13),"Ball"),M("button",{class:"button","data-shape":"box",onclick:()=>o({box:{offset:c,half_extent:[l,l,l]}})},Ye("plus",13),"Box")),s.length>0?Xt("What the gizmo does",[{value:"translate",title:"Move"},{value:"scale",title:"Size"}],Wr,u=>{Wr=u,n()}):null,M("ul",{class:"list"},...s.map((u,d)=>M("li",{class:d===Wt?"chosen":""},M("button",{class:"plain","aria-pressed":String(d===Wt),onclick:()=>{Wt=d===Wt?null:d,n()}},`${Ro(u.shape)} of ${u.joint}`),M("span",{class:"figure faint"},ym(u.shape)),M("button",{class:"button icon-only","aria-label":`Remove the ${Ro(u.shape).toLowerCase()} of ${u.joint}`,onclick:()=>t(f=>f.options.shapes=pi(f).filter((m,v)=>v!==d))},Ye("close",13))))),Wt!==null&&s[Wt]?bm(s[Wt],Wt,t):null)}function Ro(i){return"point"in i?"Point":"ball"in i?"Ball":"Box"}function ym(i){return"ball"in i?i.ball.radius.toPrecision(3):""}function bm(i,e,t){const n=(o,l,c)=>{const h=M("input",{type:"number",step:"any",value:String(l),"aria-label":o,onchange:()=>{Number.isFinite(h.valueAsNumber)&&t(u=>{const d=structuredClone(pi(u));c(d[e].shape,h.valueAsNumber),u.options.shapes=d})}});return M("label",{class:"field"},M("span",{},o),h)},{shape:s}=i,r="point"in s?s.point.offset:"ball"in s?s.ball.offset:s.box.offset,a=o=>(l,c)=>{const h="point"in l?l.point.offset:"ball"in l?l.ball.offset:l.box.offset;h[o]=c};return M("div",{class:"numbers"},...["X","Y","Z"].map((o,l)=>n(o,r[l],a(l))),"ball"in s?n("Radius",s.ball.radius,(o,l)=>{"ball"in o&&(o.ball.radius=Math.max(0,l))}):null,..."box"in s?["½ X","½ Y","½ Z"].map((o,l)=>n(o,s.box.half_extent[l],(c,h)=>{"box"in c&&(c.box.half_extent[l]=Math.max(0,h))})):[])}const wm={best:"Best: voxel and heat together",voxel:"Voxel: distance through the body",heat:"Heat: spreads over the skin",biharmonic:"Biharmonic: smoothest, slower",cells:"Cells: fitted over poses, slower",closest:"Closest bone",hierarchy:"Nearest joint and its neighbours"},Em={voxel:["2014","2013"],heat:["2007","blender"],cells:["paper"]},Ps="Shapes that attract skin",Tm=.2;function Am(i){const e=M("section",{class:"panel","aria-label":"Bind"}),t=M("div",{class:"stack"}),n=M("div"),s=M("div",{class:"stack"}),r=M("div",{class:"stack"}),a=M("div");e.append(a,t,s,n,r);const o=()=>i.draft,l=x=>{const T=structuredClone(o());x(T),i.draft=T},c=(x,T,A)=>{l(x),i.standing.value?.state.bind&&(T?i.keep(o(),A):i.try(o()))},h=()=>{const x=o(),T=i.welcome.value?.methods??[],A=T.find(y=>y.name===x.method),_=Em[x.method]??[];Oe(t,mn("Method","method",T.map(y=>({value:y.name,title:wm[y.name]??y.name})),x.method,y=>{l(P=>{P.method=y;const C=T.find(F=>F.name===y)?.falloff?P.options.falloff:void 0;P.options=C===void 0?{}:{falloff:C}}),E()}),_.length>0?mn("Form","preset",[{value:"",title:"Ligament’s own"},..._.map(y=>({value:y,title:`As published: ${y}`}))],x.options.preset??"",y=>{l(P=>y?P.options.preset=y:delete P.options.preset),E()}):null,A?.falloff?qt({label:"Falloff",name:"falloff",min:0,max:1,step:.01,value:x.options.falloff??Tm,moved:y=>c(P=>P.options.falloff=y,!1),released:y=>c(P=>P.options.falloff=y,!0,`Falloff ${y.toFixed(2)}`)}):null,qt({label:"Influences",name:"influences",min:1,max:8,step:1,value:x.influences,shown:y=>String(y),moved:y=>c(P=>P.influences=y,!1),released:y=>c(P=>P.influences=y,!0,`Influences ${y}`)})),d(),Oe(n,g(x)),f()},u=new Set,d=()=>{for(const x of n.querySelectorAll("details[data-title]"))x.open?u.add(x.dataset.title??""):u.delete(x.dataset.title??"")},f=()=>Sm(i,o(),u.has(Ps)&&i.tab.value==="bind"&&o().method==="voxel");i.tab.on(f),i.viewer.selected.on(()=>{d(),u.has(Ps)&&i.tab.value==="bind"&&h()});const m=(x,...T)=>{const A=x.split(" (")[0],_=M("details",{class:"more","data-title":A,open:u.has(A)},M("summary",{},x));return _.addEventListener("toggle",()=>{d(),x===Ps&&f()}),_.append(M("div",{class:"stack"},...T)),_},v=x=>{l(x),E()},g=x=>{const T=x.method==="voxel"||x.method==="biharmonic";return M("div",{},m(`Regions${x.regions.length>0?` (${x.regions.length})`:""}`,_m(i,x,c)),m("Joints",Pm(i,x,(A,_)=>{l(A),i.standing.value?.state.bind?i.keep(o(),_):E()})),x.method==="voxel"?m(Ps,Mm(i,x,A=>{l(A),i.standing.value?.state.bind?i.keep(o(),"Shapes"):E()},E)):null,T?m("What is inside",Rm(x,v),Cm(i,x,v)):null,m("Finish",qt({label:"Drop weights under",name:"prune",min:0,max:.1,step:.001,value:x.prune,shown:A=>A.toFixed(3),moved:A=>c(_=>_.prune=A,!1),released:A=>c(_=>_.prune=A,!0,`Prune ${A.toFixed(3)}`)}),x.method==="voxel"?vi("Smooth along the skin","smoothing",x.options.smoothing!==!1,A=>v(_=>A?delete _.options.smoothing:_.options.smoothing=!1)):null))},p=()=>{const x=i.standing.value,T=i.jobs.value.find(P=>P.kind==="bind"),A=!!x?.state.bind&&Co(x.state.bind)===Co(o()),_=(i.scene.value?.joints.some(P=>P.in_skin)??!1)||i.scene.value===null,y=x?.state.bind?A?"Bound":"Bind again":"Bind";Oe(s,T?M("div",{class:"progress",role:"status"},M("div",{class:"row"},M("span",{},er(T.stage)),M("span",{class:"figure"},Im(T.share))),M("progress",{value:T.share,max:1}),M("button",{class:"button",onclick:()=>void i.cancel(T.job)},"Cancel")):M("button",{class:"button primary wide","data-act":"bind",disabled:!_||!i.scene.value||A,onclick:()=>void i.bind(o())},y),_?null:M("p",{class:"note"},"This mesh has no skeleton. Take one with ",M("code",{},"ligament rig")," first."),x?.state.bind&&!T?M("div",{class:"row"},i.scene.value?.has_weights?M("button",{class:"button quiet",onclick:()=>void i.bind(null)},"Use the file’s weights"):null,M("button",{class:"button quiet",onclick:()=>{i.draft=structuredClone(Hr),E()}},"Reset options")):null)},S=()=>{const x=i.standing.value,T=x?.slots[0],A=!!x?.state.bind&&!!T;if(Oe(a,kn(i.scene.value?.has_weights?"The file has weights of its own. Bind to see what Ligament gives instead.":"Give every vertex its joints. Choose a method and bind.",A?`Bound: at most ${T?.max_influences} joints a vertex, ${T?.mean_influences.toFixed(2)} on average.`:"",A)),!A||!T||!x){Oe(r);return}const _=T.stages.filter(([P])=>!P.includes("beside")).reduce((P,[,C])=>P+C,0),y=M("details",{class:"more"},M("summary",{},"Timings",M("span",{class:"figure"},Po(_))),M("table",{class:"figures"},...T.stages.map(([P,C])=>M("tr",{},M("td",{},P),M("td",{class:"figure"},Po(C))))));Oe(r,...T.warnings.map(P=>Dm(i,P)),y,Lm(i,x.state.bind?.method??""),x.command?M("details",{class:"more"},M("summary",{},"The same without the studio"),M("pre",{class:"command","data-command":""},x.command),M("div",{class:"row"},xi(i,"Copy command",x.command),x.regions?xi(i,"Copy regions.json",x.regions):null)):null)},E=()=>{h(),p(),S()};return i.drafted.on(()=>{const x=document.activeElement;(!x?.matches("input[type=range]")||!(t.contains(x)||n.contains(x)))&&h(),p(),S()}),i.jobs.on(p),i.welcome.on(E),i.scene.on(E),E(),e}function Co(i){const e=t=>{if(Array.isArray(t))return t.map(e);if(typeof t!="object"||t===null)return t;const n=Object.entries(t).filter(([,s])=>s!=null&&!(Array.isArray(s)&&s.length===0)).sort(([s],[r])=>s<r?-1:1).map(([s,r])=>[s,e(r)]);return Object.fromEntries(n)};return JSON.stringify(e(i))}function Rm(i,e){return mn("Resolution","resolution",["auto","64","128","256","512"].map(n=>({value:n,title:n==="auto"?"Automatic":`${n} voxels`})),String(i.options.resolution??"auto"),n=>e(s=>{n==="auto"?delete s.options.resolution:s.options.resolution=Number(n)}))}function Cm(i,e,t){return M("div",{class:"stack"},vi("Winding numbers where views disagree","winding",e.options.winding_numbers!==!1,n=>t(s=>n?delete s.options.winding_numbers:s.options.winding_numbers=!1)),i.standing.value?.state.bind?M("button",{class:"button quiet","data-act":"cut-open",onclick:()=>{i.tab.value="weights";const n=document.querySelector("[data-section=solid]");n&&(n.open=!0),n?.scrollIntoView({block:"nearest"})}},"See it cut open, paint, leave views out"):M("p",{class:"note"},"Once bound, the solid can be cut open and painted in Weights."))}let Ls=!1;function Pm(i,e,t){const n=M("input",{type:"text",name:"deform",value:e.deform.join(", "),placeholder:"guessed",spellcheck:!1,"aria-label":"Joints that take part",onchange:()=>{const h=n.value.split(",").map(u=>u.trim()).filter(Boolean);t(u=>u.deform=h,"Joints that take part")}}),s=()=>i.viewer.selected.value,r=()=>{const h=s();return h===null?null:i.scene.value?.joints[h].name??null},a=M("button",{class:"button quiet",title:"The selected joint keeps the weights that the file has",onclick:()=>{const h=r();if(!h)return i.toast({text:"Select a joint first.",kind:"info"});const u=e.locks.joints.includes(h);t(d=>{d.locks.joints=u?d.locks.joints.filter(f=>f!==h):[...d.locks.joints,h]},u?`Unlock ${h}`:`Lock ${h}`)}},"Lock selected joint"),o=M("div",{class:"which",role:"group","aria-label":"Which joints take part, and why"}),l=M("details",{class:"more",open:Ls,ontoggle:()=>{Ls=l.open,Ls&&c()}},M("summary",{},"Which joints, and why"),o),c=async()=>{const h=await i.whichJoints(e.deform),u=i.scene.value;if(!h||!u)return;const d=m=>u.joints[m.joint].name,f=(m,v)=>{m.takes_part=v;const p=h.every(S=>S.takes_part===S.guessed)?[]:h.filter(S=>S.takes_part).map(d);t(S=>S.deform=p,`${v?"Take":"Leave out"} ${d(m)}`)};Oe(o,...[...h].sort((m,v)=>Number(m.takes_part)-Number(v.takes_part)).map(m=>{const v=M("input",{type:"checkbox",checked:m.takes_part,"data-which":d(m),onchange:()=>f(m,v.checked)});return M("label",{class:"which-joint",title:m.reason},v,M("span",{class:"name"},d(m)),M("span",{class:"note"},m.takes_part===m.guessed?m.reason:"by hand"))}))};return Ls&&c(),M("div",{class:"stack"},M("label",{class:"field"},M("span",{},"Joints that take part"),n),l,M("p",{class:"note"},"Names or patterns such as ",M("code",{},"*arm*"),"; ",M("code",{},"!")," in front takes out; ",M("code",{},"all")," keeps all."),i.scene.value?.has_weights?M("div",{class:"row"},a,M("span",{class:"note"},e.locks.joints.join(", "))):null)}function Lm(i,e){const t=i.library.value.filter(s=>s.kind==="file"||s.kind==="dropped");if(t.length<2)return null;const n=[{value:"",title:"Choose a file…"},...t.map(s=>({value:s.id,title:s.name}))];return M("details",{class:"more"},M("summary",{},"Another mesh in this volume"),M("div",{class:"stack"},M("p",{class:"note"},"A level of detail or an injured version gets weights by the same distances, and is written as glTF."),e==="voxel"?mn("Bind and write","bind-other",n,"",s=>{s&&i.bindOther(s,"glb").then(r=>Wi(i,r))}):M("p",{class:"note"},"Bind by voxel first.")))}function Dm(i,e){const t=i.scene.value,n=t?.joints.findIndex(a=>e.joints.includes(a.name))??-1,s=t?.parts.findIndex(a=>a.name===e.part)??-1,r=n>=0||s>=0;return M("div",{class:"card warning"},Ye("warn",15),M("p",{},e.message.charAt(0).toUpperCase()+e.message.slice(1)),r?M("button",{class:"button quiet",onclick:()=>{n>=0?(i.select(n),i.viewer.frameJoint(n)):i.framePart(s)}},"Go there"):null)}function xi(i,e,t){return M("button",{class:"button quiet",onclick:()=>{navigator.clipboard.writeText(t).then(()=>i.toast({text:"Copied.",kind:"done"}),()=>i.toast({text:"The browser does not let this page copy; select the text instead.",kind:"error"}))}},Ye("copy",14),e)}function Po(i){return i<1e3?`${i.toFixed(i<10?1:0)} ms`:`${(i/1e3).toFixed(2)} s`}function Im(i){return`${Math.round(100*i)} %`}function er(i){return i.charAt(0).toUpperCase()+i.slice(1)}function Nm(i){const e=M("div",{class:"toasts",role:"status","aria-live":"polite"});return i.toast=t=>{const n=()=>s.remove(),s=M("div",{class:`toast ${t.kind}`},Ye(t.kind==="error"?"warn":"check",16),M("p",{},t.text),t.action?M("button",{class:"button quiet",onclick:t.action.run},t.action.title):null,M("button",{class:"button quiet icon-only","aria-label":"Close",onclick:n},Ye("close",14)));for(e.append(s);e.childElementCount>3;)e.firstElementChild?.remove();t.kind!=="error"&&setTimeout(n,t.action?12e3:4e3)},e}function Fm(i){const e=M("div",{class:"banners"}),t=()=>{const n=i.lost.value,s=i.standing.value?.recovery??null;Oe(e,n?M("div",{class:"banner error",role:"alert"},Ye("warn",16),M("p",{},n.message)):null,s!==null&&!n?M("div",{class:"banner",role:"alert"},M("p",{},`Unsaved work on this character was found: ${s} ${s===1?"step":"steps"}.`),M("button",{class:"button primary","data-act":"recover",onclick:()=>void i.recover(!0)},"Restore"),M("button",{class:"button quiet","data-act":"discard",onclick:()=>void i.recover(!1)},"Discard")):null)};return i.lost.on(t),i.standing.on(t),e}function Um(i){const e=M("div",{class:"opening"}),t=()=>{const n=i.jobs.value.find(s=>s.kind==="open");e.hidden=!n&&i.scene.value!==null,Oe(e,M("p",{},n?`${er(n.stage)}…`:i.lost.value?"":"Connecting…"))};return i.jobs.on(t),i.scene.on(t),i.lost.on(t),t(),e}const Om=[["Look",[["Left drag","Orbit"],["Right drag, Shift+drag","Pan"],["Wheel","Zoom to the pointer"],["F","Frame the selected joint"],["A","Frame all"],["1  3  7","Front, side, top, without perspective"],["O","Perspective, or none"],["Z","Next shading"],["B","Bones"],["R","Rest pose beside"]]],["Weights",[["Click","Select a bone, or keep a vertex"],["S + click","Take the joint that holds most"],["W","Next colouring"],["D","What differs"],["Esc","Select nothing"]]],["Paint",[["[  ]","Smaller, larger brush"],["Shift+[  Shift+]","Weaker, stronger"],["B + drag","Radius and strength"],["Ctrl","The other way round"],["Shift","Relax"],["Alt+drag","Orbit while painting"]]],["Motion",[["Space","Play or pause"],[",  .","A frame back, a frame on"],["K","Keep the pose"]]],["Work",[["Ctrl+Z","Undo"],["Ctrl+Shift+Z","Redo"],["Ctrl+B","Bind"],["Ctrl+S","Save project"],["Ctrl+O","Open"],["Ctrl+E","Export"],["?","This sheet"]]]];function vl(i){const e=M("dialog",{class:"dialog sheet","aria-label":"Shortcuts"},M("header",{},M("h2",{},"Shortcuts"),M("button",{class:"button quiet icon-only","aria-label":"Close",onclick:()=>e.close()},Ye("close"))),M("div",{class:"columns"},...Om.map(([t,n])=>M("div",{},M("h3",{},t),M("dl",{},...n.flatMap(([s,r])=>[M("dt",{},M("kbd",{},s)),M("dd",{},r)]))))),M("footer",{},M("p",{class:"note"},`Ligament ${i.welcome.value?.ligament??""}. ${i.viewer.software?"This browser draws without a graphics card, so motion is slow.":""}`),M("button",{class:"button",onclick:()=>void i.newLink().then(t=>{t&&navigator.clipboard.writeText(t).then(()=>i.toast({text:"An address for another tab was copied.",kind:"done"}))})},Ye("link",15),"Address for another tab")));e.addEventListener("close",()=>e.remove()),e.addEventListener("click",t=>{t.target===e&&e.close()}),document.body.append(e),e.showModal()}const Bm=["textured","clay","wire","xray"],km=["surface","joint","joints","influences","symmetry"],Lo=1/30;function Do(i,e){return i[(i.indexOf(e)+1)%i.length]}function zm(i){addEventListener("keydown",e=>{const t=e.target,n=t.matches("input:not([type=range]):not([type=checkbox]), textarea, select");if(document.querySelector("dialog[open]"))return;if(e.ctrlKey||e.metaKey){const u={z:()=>e.shiftKey?i.redo():i.undo(),y:()=>i.redo(),b:()=>void i.bind(i.draft),s:()=>void i.save().then(d=>Wi(i,d)),o:()=>pl(i),e:()=>document.querySelector("[data-act=export]")?.click()}[e.key.toLowerCase()];u&&!(n&&e.key==="z")&&(e.preventDefault(),u());return}if(n||e.altKey)return;const{viewer:r,player:a}=i,o=r.look,l={" ":()=>a?.toggle(),f:()=>{const h=r.selected.value;h===null?r.frameAll():r.frameJoint(h)},a:()=>r.frameAll(),z:()=>i.setLook({shading:Do(Bm,o.shading)}),b:()=>{i.painting.active.value||i.setLook({bones:!o.bones})},"[":()=>i.painting.step(!1,!1),"]":()=>i.painting.step(!0,!1),"{":()=>i.painting.step(!1,!0),"}":()=>i.painting.step(!0,!0),r:()=>i.setLook({layout:o.layout==="rest"?"one":"rest"}),w:()=>i.setLook({coloring:Do(km,o.coloring)}),d:()=>{i.standing.value?.state.other&&i.setLook({coloring:o.coloring==="difference"?"surface":"difference"})},k:()=>gl(i),",":()=>a?.seek(a.seconds.value-Lo),".":()=>a?.seek(a.seconds.value+Lo),1:()=>r.orbit.look(0,0),3:()=>r.orbit.look(Math.PI/2,0),7:()=>r.orbit.look(0,1.55),o:()=>r.orbit.setFlat(!r.orbit.flat),"?":()=>vl(i),Escape:()=>i.brushing.value?i.brushing.value.done(!1):i.select(null)};if(e.key===" "&&t.matches("button, summary"))return;const c=l[e.key.length===1?e.key.toLowerCase():e.key];c&&(e.preventDefault(),c(),r.draw())})}function Gm(i){const e=M("section",{class:"panel","aria-label":"Compare"}),t=()=>{const n=i.standing.value,s=i.look.value;if(!n||!s)return Oe(e);const r=n.state.other,a=i.jobs.value.find(o=>o.kind==="bind");Oe(e,kn("See two binds at once. Choose what to compare with.",`Left: ${n.slots[0]?.name??"not bound"}. Right: ${n.slots[1]?.name??"…"}.`,r!==null&&n.slots[1]!==null),mn("Compare with","other",Vm(i),Wm(r),o=>void Xm(i,o)),a?M("div",{class:"progress",role:"status"},M("span",{},er(a.stage)),M("progress",{value:a.share,max:1})):null,M("div",{class:"stack"},M("span",{class:"label"},"Shown"),Xt("Shown",[{value:"one",title:"One"},{value:"split",title:"Side by side",disabled:!r},{value:"wipe",title:"Wipe",disabled:!r,tip:"Drag the line across the character"}],s.layout==="rest"?"one":s.layout,o=>i.setLook({layout:o})),M("button",{class:"button",disabled:!r,"aria-pressed":String(s.coloring==="difference"),"data-act":"difference",onclick:()=>i.setLook({coloring:s.coloring==="difference"?"surface":"difference"})},s.coloring==="difference"?"Show the surface":"Show what differs"),r?M("p",{class:"note"},"What differs is half the sum of the weights that differ: 0 is the same, 1 is no joint in common."):null),r&&Hm(r)&&n.state.bind?M("div",{class:"row"},M("button",{class:"button",onclick:()=>void qm(i,r.bind,n.state.bind)},"Swap the two")):null)};return i.standing.on(t),i.look.on(t),i.jobs.on(t),i.library.on(t),t(),e}function Hm(i){return"bind"in i}function Vm(i){const e=i.welcome.value?.methods??[],t=i.library.value.filter(n=>n.kind==="file"||n.kind==="dropped");return[{value:"",title:"Nothing"},...i.scene.value?.has_weights?[{value:"file",title:"The file’s own weights"}]:[],...e.map(n=>({value:`method:${n.name}`,title:`Bind by ${n.name}`})),...i.standing.value?.state.bind?[{value:"now",title:"This bind as it is now"}]:[],...t.map(n=>({value:`item:${n.id}`,title:`Weights of ${n.name}`}))]}function Wm(i){return i?"file"in i?"file":"item"in i?`item:${i.item}`:`method:${i.bind.method}`:""}async function Xm(i,e){const t=i.standing.value?.state.bind;let n=null;if(e==="file")n={file:{}};else if(e==="now"&&t)n={bind:t};else if(e.startsWith("item:"))n={item:e.slice(5)};else if(e.startsWith("method:")){const s=t??i.draft;n={bind:{...structuredClone(s),method:e.slice(7),options:{}}}}await i.compare(n),n&&i.standing.value?.state.other&&i.look.value?.layout==="one"&&i.setLook({layout:"split"})}async function qm(i,e,t){t&&(await i.bind(e,"Swap: this bind"),await i.compare({bind:t}))}function $m(i){const e=M("section",{class:"panel","aria-label":"History"}),t=()=>{const n=i.standing.value;if(!n)return Oe(e);const s=n.history.map((r,a)=>M("li",{},M("button",{class:a===n.at?"step here":a>n.at?"step undone":"step","aria-current":a===n.at?"step":void 0,"data-step":String(a),onclick:()=>void i.go(a)},r)));Oe(e,kn("Nothing is lost. Click a step to go back to it.",`${n.history.length-1} steps, kept as you go.`,n.history.length>1),M("ol",{class:"steps"},...s.reverse()))};return i.standing.each(t),e}function Ym(i){const e=M("section",{class:"panel","aria-label":"Judge"});let t=!1;const n=()=>{const s=i.standing.value,r=i.report.value,a=i.jobs.value.find(c=>c.kind==="check"),o=!!s?.slots[0];if(Oe(e,kn(r?`${Zm(r.headline)}. Go there and look.`:o?"Move the rig through its clips and measure what the skin does.":"There are no weights to judge yet. Bind first.","Nothing found: all measures are sound.",r?.verdict==="sound"),a?M("div",{class:"progress",role:"status"},M("span",{},er(a.stage)),M("progress",{value:a.share,max:1}),M("button",{class:"button",onclick:()=>void i.cancel(a.job)},"Cancel")):M("div",{class:"stack"},M("button",{class:"button primary wide","data-act":"judge",disabled:!o,onclick:()=>void i.check(t)},r?"Judge again":"Judge"),vi("Bend every joint, whatever the clips do","range",t,c=>t=c))),!r)return;const l=r.places.length>0?r.places.map(c=>jm(i,c)):[M("p",{class:"card sound"},Ye("check",15),M("span",{},"Nothing found near any joint."))];e.append(M("h3",{},"Places, worst first"),...l,M("h3",{},"The whole character"),M("table",{class:"figures findings"},...r.findings.map(c=>M("tr",{title:c.meaning},M("td",{},M("span",{class:`dot ${c.verdict}`})),M("td",{},M("button",{class:"plain",title:"Show it on the skin",onclick:()=>xl(i,c.map)},c.measure)),M("td",{class:"figure"},c.value),M("td",{class:"figure faint"},c.limit)))),M("p",{class:"note"},`${r.frames} poses of ${r.from_clips?"the clips":"the range of motion"}; score ${r.score.toFixed(2)}, less is better.`),M("div",{class:"row"},xi(i,"Copy report",r.text)))};return i.report.on(n),i.jobs.on(n),i.standing.on(n),n(),e}function Zm(i){return i.charAt(0).toUpperCase()+i.slice(1)}function xl(i,e){const t=i.maps.get(e);!t||!i.viewer.skin||(i.viewer.skin.setMap(t),i.setLook({coloring:"map"}))}function jm(i,e){return M("div",{class:`card place ${e.verdict}`},M("div",{class:"row"},M("strong",{},e.name),M("span",{class:`tag ${e.verdict}`},e.measure)),M("p",{class:"note"},e.frame?`Worst in ${e.frame}`:"In the weights themselves"),M("button",{class:"button quiet","data-act":"go-there",onclick:()=>void Km(i,e)},Ye("target",14),"Go there"))}async function Km(i,e){const{player:t,viewer:n}=i;t&&(t.playing.value=!1,e.clip!==null&&e.seconds!==null?(t.choose({clip:e.clip}),await t.ready(),t.seek(e.seconds)):e.pose&&t.hold(Float32Array.from(e.pose)),i.select(e.joint),xl(i,e.map),n.draw(),requestAnimationFrame(()=>{const s=12*e.joint,r=n.worldFromJoints;n.framePlace(new L(r[s+9],r[s+10],r[s+11]),.17)}))}function Sl(i,e,t,n){const{origin:s,direction:r}=i.viewer.orbit.ray(t,n),a=i.viewer.orbit.camera.getWorldDirection(new L),o=new L(...e).sub(s).dot(a)/r.dot(a);return s.addScaledVector(r,o).toArray()}class Jm{constructor(e,t){this.app=e;const n=e.scene.value,s=n?.joints[t].bind??[];this.name=n?.joints[t].name??"",this.start=new L(s[9],s[10],s[11]),e.rig&&e.player?.hold(e.rig.rest)}name;start;place=null;frame=Object.assign(document.createElement("div"),{className:"loupe"});busy=!1;over=!1;next=null;move(e,t,n,s){if(this.busy){this.next=[e,t,n,s];return}this.busy=!0,this.to(e,t,n,s).then(()=>{this.busy=!1;const r=this.next;this.next=null,r&&!this.over&&this.move(...r)})}async to(e,t,n,s){const o=((s||this.app.viewer.orbit.flat?null:await this.app.snap(e,t,n))??Sl(this.app,this.start.toArray(),e,t)).map(l=>Number(l.toPrecision(7)));this.over||(this.place=o,this.app.drag(this.commands(o)))}commands(e){return this.app.bothSides([{command:"move_joint",joint:this.name,to:e}])}look(e,t,n,s){const{viewer:r}=this.app,a=132,o=Math.min(Math.max(8,e-a-36),n-a-8),l=t-a-36>52?t-a-36:t+36;r.loupe={u:2*e/n-1,v:1-2*t/s,left:o,bottom:s-l-a,side:a},Object.assign(this.frame.style,{left:`${o}px`,top:`${l}px`,width:`${a}px`,height:`${a}px`}),this.frame.isConnected||r.root.append(this.frame),r.draw()}release(){this.over=!0,this.app.viewer.loupe=null,this.frame.remove(),this.app.viewer.draw(),this.place&&this.app.edit(this.commands(this.place),`Move ${this.name}`)}}function Qm(i,e){const t=new Set(i.scene.value?.joints.map(s=>s.name));let n=1;for(;e.some(s=>t.has(`${s}${n}`));)n+=1;return n}function eg(i,e){const t=i.scene.value,n=i.viewer.skin;if(!t||!n||i.brushing.value)return;const s=n.box.max.distanceTo(n.box.min),r=x=>t.joints[x].bind.slice(9,12),a=i.mirrorEdits?i.partnerOf(e):null,o=a===null?0:(r(e)[0]+r(a)[0])/2;let l=t.joints[e].name,c=a===null?null:t.joints[a].name,h=r(e),u=0,d=!1,f=null,m=!1;const v=async(x,T)=>{const _=((i.viewer.orbit.flat?null:await i.snap(x,T,m))??Sl(i,h,x,T)).map(z=>Number(z.toPrecision(7))),y=c!==null&&(c!==l||Math.abs(_[0]-o)>.01*s),P=_[0]>o?["left_","right_"]:["right_","left_"],C=y?P.map(z=>`${z}limb`):["limb"],F=Qm(i,C),O=C.map(z=>`${z}${F}`),X=[{command:"add_joint",joint:l,name:O[0],to:_}];y&&c!==null&&X.push({command:"add_joint",joint:c,name:O[1],to:[2*o-_[0],_[1],_[2]]}),i.toSelect=O[0];const I=i.standing.value?.at;await i.edit(X,`Add ${O.join(" and ")}`),i.standing.value?.at!==I&&(l=O[0],c!==null&&(c=y?O[1]:O[0]),h=_,u+=1,p.textContent=`Click where the next joint goes; it hangs on ${l}.`,S.textContent=`Done: ${u} added`)},g=()=>{E.remove(),i.brushing.value=null,i.viewer.root.style.cursor=""},p=M("span",{},`Click where the joint goes; it hangs on ${l}. Alt and drag turns.`),S=M("button",{class:"button primary","data-act":"joints-added",title:"Esc; a click with Shift goes to the middle of the whole body",onclick:g},"Done"),E=M("div",{class:"brushing"},p,S);i.viewer.root.append(E),i.viewer.root.style.cursor="crosshair",i.rig&&i.player?.hold(i.rig.rest),i.brushing.value={begin:x=>(m=x.shiftKey,!0),stamp:(x,T)=>f=[x,T],release:()=>{!f||d||(d=!0,v(...f).finally(()=>d=!1),f=null)},done:g}}const bn=new at({detail:.5,template:"found",names:"vrm"});function tg(i,e){const t=i.jobs.value.some(r=>r.kind==="open"),n=/_rigged(\.|$)/.test(i.scene.value?.name??""),s=r=>{bn.value={...bn.value,...r},n&&i.extract(bn.value)};return M("div",{class:"card"},mn("Skeleton","extract-template",[{value:"found",title:"As it is found"},{value:"humanoid",title:"Humanoid, as engines know it"},{value:"quadruped",title:"Quadruped"},{value:"bird",title:"Bird"}],bn.value.template,r=>s({template:r})),bn.value.template==="found"?null:mn("Names","extract-names",[{value:"vrm",title:"VRM"},{value:"mixamo",title:"Mixamo"},{value:"unreal",title:"Unreal"},{value:"unity",title:"Unity"},{value:"rigify",title:"Rigify"}],bn.value.names,r=>s({names:r})),qt({label:"Detail: limbs alone to fingers",name:"extract-detail",min:0,max:1,step:.05,value:bn.value.detail,moved:()=>{},released:r=>s({detail:r})}),M("button",{class:e?"button wide":"button primary wide","data-act":"extract",disabled:!i.scene.value||t,onclick:()=>void i.extract(bn.value)},e?"Find another skeleton in the mesh":"Find a skeleton in the mesh"))}function ng(i){return i.length===0?null:M("ul",{class:"limits","aria-label":"How far it bends"},...i.map(({axis:e,from:t,to:n})=>{const s=M("span",{class:"bar"});return s.style.marginInlineStart=`${(t+180)/3.6}%`,s.style.width=`${(n-t)/3.6}%`,M("li",{},M("span",{},e),M("span",{class:"track"},s),M("span",{class:"figure"},`${t}° to ${n}°`))}))}function ig(i){const e=i.scene.value?.joints??[],t=i.viewer.skin?.partners;if(!t)return null;const n=e.flatMap((s,r)=>s.in_skin&&t[r]===null?[r]:[]);return n.length===0?M("p",{class:"note"},"Every joint has a partner, or lies in the middle."):M("details",{class:"more",open:n.length<6},M("summary",{},"Without a partner",M("span",{class:"figure"},String(n.length))),M("ul",{class:"list"},...n.map(s=>M("li",{},M("button",{class:"plain",onclick:()=>i.select(s)},e[s].name)))))}function sg(i,e){const t=i.scene.value?.joints??[],n=l=>t.flatMap((c,h)=>c.parent===l&&c.in_skin?[h]:[]),s=t[e].parent,r=n(e),a=s!==null&&t[s].in_skin?[s,e]:[e];r.length===1&&a.push(r[0]);const o=a[a.length-1];return a.length<3&&r.length===1&&n(o).length===1&&a.push(n(o)[0]),a}function rg(i){const e=M("section",{class:"panel","aria-label":"Rig"}),t=M("div",{class:"stack"}),n=M("div",{class:"stack"}),s=M("div",{class:"stack"});e.append(t,n,s);const r=()=>{const{scene:c,standing:h}={scene:i.scene.value,standing:i.standing.value},u=h?.state.rig??null,d=c?.joints.some(v=>v.in_skin)??!1,f=u?.script.length??0,m=i.jobs.value.find(v=>v.kind==="bind");Oe(t,kn(u?"Drag a joint over the character: it goes into the middle of the limb, and the weights follow.":"Put joints where they belong, with the weights following.",`${f} ${f===1?"edit":"edits"} of the rig; weights followed every one.`,f>0),u?null:M("div",{class:"stack"},M("button",{class:"button primary wide","data-act":"take-rig",disabled:!d||!!m,onclick:()=>void i.setRig({session:{method:"heat"},script:[]},"Take the rig into hands")},"Take the rig into hands"),tg(i,d),M("p",{class:"note"},"Weights are found by heat, or by voxels, and follow every edit. Undo takes all of it back.")),m?M("div",{class:"progress",role:"status"},M("span",{},m.stage),M("progress",{value:m.share,max:1})):null,u?Xt("How weights follow",[{value:"heat",title:"Heat",tip:"Along the skin, solved again where an edit changes it"},{value:"voxel",title:"Voxel",tip:"Through the body"}],u.session.method,v=>void i.setRig({session:{...u.session,method:v},script:u.script},`Weights follow by ${v}`)):null,u?vi("Mirror: the other side follows","mirrored",i.mirrorEdits,v=>{i.mirrorEdits=v,(i.viewer.skin?.mirrored?Promise.resolve():i.mirror()).then(l)}):null,u&&i.mirrorEdits?ig(i):null)},a=()=>{const{scene:c,standing:h}={scene:i.scene.value,standing:i.standing.value},u=h?.state.rig,d=i.viewer.selected.value;if(!u||!c)return Oe(n);if(d===null||!c.joints[d])return Oe(n,M("p",{class:"note"},"Select a joint to name it, to add or remove joints, and for its handles."));const f=c.joints[d].name,m=(x,T)=>{const A=u.script.findLast(_=>_.command===x&&_.joint===f);return typeof A?.value=="number"?A.value:T},v=(x,T,A,_,y)=>qt({label:T,name:`rig-${x}`,min:A,max:_,step:.01,value:m(x,y),moved:P=>i.drag(i.bothSides([{command:x,joint:f,value:P}])),released:P=>void i.edit(i.bothSides([{command:x,joint:f,value:P}]),`${T} of ${f}`)}),g=(x,T,A,_)=>M("button",{class:"button",title:_,onclick:()=>void i.edit(T,A)},x),p=M("input",{type:"text",name:"joint-name",value:f,spellcheck:!1,"aria-label":"Name of the joint",onchange:()=>{const x=p.value.trim();x&&x!==f&&i.edit([{command:"rename_joint",joint:f,name:x}],`Rename ${f} to ${x}`)}}),S=()=>{const x=sg(i,d),T=x.map(P=>c.joints[P].name),A=x.map(P=>i.partnerOf(P)),_=i.mirrorEdits&&A.every((P,C)=>P!==null&&P!==x[C]),y=[{command:"align_joints",joints:T}];return _&&y.push({command:"align_joints",joints:A.map(P=>c.joints[P??0].name)}),M("button",{class:"button",disabled:x.length<3,title:x.length<3?"It takes a joint above and one below":`Puts ${T.join(", ")} into one plane`,onclick:()=>void i.edit(y,`Align ${f}`)},"Align")},E=i.partnerOf(d);Oe(n,M("hr"),M("label",{class:"field"},M("span",{},"Name"),p),i.mirrorEdits?M("p",{class:"note"},E===null?"It has no partner on the other side.":E===d?"It lies in the middle.":`Its partner is ${c.joints[E].name}.`):null,v("magnitude","Magnitude",.1,5,1),u.session.method==="heat"?v("smoothness","Smoothness",0,1,0):null,ng(c.joints[d].moves),M("div",{class:"row wrap"},g("Insert above",i.bothSides([{command:"insert_joint",joint:f}]),`Insert a joint above ${f}`,"A new joint between this one and its parent"),M("button",{class:"button","data-act":"add-joints",title:"New joints below this one: a limb that is missing, click by click",onclick:()=>eg(i,d)},"Add limb"),g("Delete",i.bothSides([{command:"delete_joint",joint:f}]),`Delete ${f}`,"Its children and its skin go to its parent"),g("Orient",i.bothSides([{command:"orient",joint:f}]),`Orient ${f}`,"Y to its child"),S(),g("Make root",[{command:"set_root",joint:f}],`Make ${f} the root`,"The tree hangs on it"),g("Takes no part",i.bothSides([{command:"takes_part",joint:f,value:!1}]),`${f} takes no part`,"It holds no weight")))},o=()=>{const c=i.standing.value;Oe(s,c?.state.rig&&c.command&&c.edits?M("details",{class:"more"},M("summary",{},"The same without the studio"),M("pre",{class:"command"},c.command),M("div",{class:"row"},xi(i,"Copy command",c.command),xi(i,"Copy edits.json",c.edits))):null,c?.state.rig?M("p",{class:"note"},"Drag snaps to the middle of the first limb; Shift to that of the whole body. Ctrl keeps the depth, as views without perspective do (1, 3, 7)."):null,c?.state.rig?M("button",{class:"button quiet",onclick:()=>void i.setRig(null,"Let go of the rig")},Ye("reset",14),"Back to the file’s rig"):null)},l=()=>{r(),(!n.contains(document.activeElement)||!document.activeElement?.matches("input[type=range]"))&&a(),o()};return i.standing.on(l),i.scene.on(l),i.jobs.on(r),bn.on(r),i.viewer.selected.on(a),i.mirrored.on(l),l(),e}const Xr="http://www.w3.org/2000/svg";function Ds(i,e){const t=document.createElementNS(Xr,i);return t.setAttribute("class",e),t}function ag(i,e){const t={offset:[0,0,0],magnitude:1,smoothness:0};for(const n of i)if(n.joint===e&&(n.command==="magnitude"&&(t.magnitude=Number(n.value)),n.command==="smoothness"&&(t.smoothness=Number(n.value)),n.command==="range")){const s=n.by;t.offset=s?t.offset.map((r,a)=>r+s[a]):[0,0,0]}return t}class og{constructor(e){this.app=e,this.root.setAttribute("class","rig-handles"),this.root.setAttribute("aria-hidden","true");const t=(n,s)=>{const r=Ds(n==="range"?"rect":"circle",`handle-knob ${n}`),a=document.createElementNS(Xr,"title");return a.textContent=s,r.append(a),r.addEventListener("pointerdown",o=>this.take(n,r,o)),r.addEventListener("pointermove",o=>this.move(o)),r.addEventListener("pointerup",()=>this.release()),r};this.knobs={range:t("range","Range: what stands for the joint. Double-click puts it back."),magnitude:t("magnitude","Magnitude: how far it attracts skin"),smoothness:t("smoothness","Smoothness: how soft that ends")},this.knobs.range.addEventListener("dblclick",()=>this.reset()),this.root.append(this.soft,this.radius,this.stalk,this.knobs.smoothness,this.knobs.magnitude,this.knobs.range),e.viewer.root.append(this.root),e.viewer.rendered.push(()=>this.draw()),e.tab.on(()=>e.viewer.draw()),e.brushing.on(()=>e.viewer.draw()),e.standing.on(()=>e.viewer.draw())}root=document.createElementNS(Xr,"svg");soft=Ds("path","handle-soft");radius=Ds("path","handle-radius");stalk=Ds("line","handle-stalk");knobs;held=null;get joint(){const{app:e}=this,t=e.viewer.selected.value;return e.tab.value==="rig"&&e.standing.value?.state.rig&&e.viewer.look.layout==="one"&&!e.brushing.value&&t!==null&&e.scene.value?.joints[t]?.in_skin?t:null}place(e,t){const{viewer:n,rig:s}=this.app;return s?new L(...Kn(n.worldFromJoints,12*e,Kn(s.inverse,12*e,t))):new L(...t)}parts(e){const{scene:t,viewer:n}=this.app,s=t.value?.joints[e].name??"",r=ag(this.app.standing.value?.state.rig?.script??[],s);this.held?.joint===s&&(this.held.kind==="range"?r.offset=r.offset.map((m,v)=>m+(this.held?.by[v]??0)):r[this.held.kind]=this.held.value);const a=t.value?.joints[e].bind??[],o=[a[9],a[10],a[11]],l=t.value?.bones.find(m=>m.joint===e),c=n.skin?n.skin.box.max.distanceTo(n.skin.box.min):1,h=l?.tail??o,u=Math.hypot(...h.map((m,v)=>m-o[v])),d=Math.min(.06*c,Math.max(.015*c,.3*u)),f=o.map((m,v)=>m+r.offset[v]);return{name:s,own:r,usual:d,radius:d*Math.sqrt(r.magnitude),head:this.place(e,o),handle:this.place(e,f),tail:this.place(e,h)}}draw(){const e=this.joint;if(this.root.toggleAttribute("hidden",e===null),e===null)return;const{orbit:t,panes:n}=this.app.viewer,[s,r]=[n[0].clientWidth,n[0].clientHeight],{own:a,radius:o,head:l,handle:c,tail:h}=this.parts(e),u=C=>{const F=C.clone().project(t.camera);return[(F.x+1)/2*s,(1-F.y)/2*r]},d=t.depth(c),f=t.pixelsPerUnit(d,r),[m,v,g]=[u(c),u(h),u(l)],p=Math.max(10,o*f),S=p*(1.12+.9*a.smoothness);this.radius.setAttribute("d",Io(m,v,p)),this.soft.setAttribute("d",Io(m,v,S)),this.soft.toggleAttribute("hidden",this.app.standing.value?.state.rig?.session.method!=="heat");for(const[C,F]of Object.entries({x1:g[0],y1:g[1],x2:m[0],y2:m[1]}))this.stalk.setAttribute(C,String(F));const[E,x]=[v[0]-m[0],v[1]-m[1]],T=Math.hypot(E,x)||1,A=[-x/T,E/T],_=[m[0]+.5*E,m[1]+.5*x],y=(C,F)=>{this.knobs[C].setAttribute("cx",String(_[0]+A[0]*F)),this.knobs[C].setAttribute("cy",String(_[1]+A[1]*F)),this.knobs[C].setAttribute("r","5")};y("magnitude",p),y("smoothness",-S),this.knobs.smoothness.toggleAttribute("hidden",this.app.standing.value?.state.rig?.session.method!=="heat");const P=this.knobs.range;for(const[C,F]of Object.entries({x:m[0]-5.5,y:m[1]-5.5,width:11,height:11}))P.setAttribute(C,String(F));P.setAttribute("transform",`rotate(45 ${m[0]} ${m[1]})`)}take(e,t,n){const s=this.joint;if(s===null||n.button!==0)return;n.stopPropagation(),t.setPointerCapture(n.pointerId),this.app.rig&&this.app.player?.hold(this.app.rig.rest);const{name:r,own:a,handle:o}=this.parts(s);this.held={kind:e,joint:r,from:o,by:[0,0,0],value:e==="range"?0:a[e]}}move(e){const{held:t,app:n}=this,s=this.joint;if(!t||s===null)return;const{orbit:r,panes:a}=n.viewer,o=a[0].getBoundingClientRect(),[l,c]=[e.clientX-o.left,e.clientY-o.top],h=2*l/o.width-1,u=1-2*c/o.height,{usual:d,handle:f,tail:m,radius:v}=this.parts(s);if(t.kind==="range"){const{origin:g,direction:p}=r.ray(h,u),S=r.camera.getWorldDirection(new L),E=t.from.clone().sub(g).dot(S)/p.dot(S),x=g.addScaledVector(p,E).sub(t.from);t.by=x.toArray().map(T=>Number(T.toPrecision(6)))}else{const g=r.pixelsPerUnit(r.depth(f),o.height),p=lg([l,c],this.seen(f,o),this.seen(m,o));t.kind==="magnitude"?t.value=qr(Math.pow(p/g/d,2),.1,5):t.value=qr((p/Math.max(10,v*g)-1.12)/.9,0,1),t.value=Number(t.value.toFixed(3))}n.drag(n.bothSides(this.commands())),n.viewer.draw()}seen(e,t){const n=e.clone().project(this.app.viewer.orbit.camera);return[(n.x+1)/2*t.width,(1-n.y)/2*t.height]}commands(){const{held:e}=this;return e?e.kind==="range"?[{command:"range",joint:e.joint,by:e.by}]:[{command:e.kind,joint:e.joint,value:e.value}]:[]}release(){const{held:e,app:t}=this;if(!e)return;const n=t.bothSides(this.commands()),s=e.kind!=="range"||Math.hypot(...e.by)>0,r={range:"Range",magnitude:"Magnitude",smoothness:"Smoothness"}[e.kind];(s?t.edit(n,`${r} of ${e.joint}`):Promise.resolve()).then(()=>{this.held=null,t.viewer.draw()})}reset(){const e=this.joint,t=e===null?void 0:this.app.scene.value?.joints[e].name;t&&this.app.edit(this.app.bothSides([{command:"range",joint:t}]),`Range of ${t} back`)}}function Io(i,e,t){const[n,s]=[e[0]-i[0],e[1]-i[1]],r=Math.hypot(n,s)||1,[a,o]=[-s/r*t,n/r*t],l=(c,h)=>`${c.toFixed(1)} ${h.toFixed(1)}`;return[`M${l(i[0]+a,i[1]+o)}`,`A${t.toFixed(1)} ${t.toFixed(1)} 0 0 1 ${l(i[0]-a,i[1]-o)}`,`L${l(e[0]-a,e[1]-o)}`,`A${t.toFixed(1)} ${t.toFixed(1)} 0 0 1 ${l(e[0]+a,e[1]+o)}`,"Z"].join("")}function lg(i,e,t){const[n,s]=[t[0]-e[0],t[1]-e[1]],r=n*n+s*s,a=r>0?qr(((i[0]-e[0])*n+(i[1]-e[1])*s)/r,0,1):0;return Math.hypot(e[0]+a*n-i[0],e[1]+a*s-i[1])}function qr(i,e,t){return Math.min(t,Math.max(e,i))}const Lr=40,Is=1;function cg(i){const{painting:e}=i,t=M("div",{class:"stack"}),n=M("div",{class:"stack"}),s=M("div",{class:"stack"}),r=M("div",{class:"stack"},t,n,s),a=()=>{const h=i.standing.value,u=!!h?.slots[0],d=h?.edited??0,f=e.brush.value,m=i.viewer.selected.value,v=m===null?null:i.scene.value?.joints[m]?.name??null,g=f.tool==="brush"&&f.mode==="relax";Oe(t,kn(u?"Paint where the bind is nearly right. Every stroke is a step.":"There are no weights to paint on. Bind first.",`${d.toLocaleString("en")} ${d===1?"point":"points"} changed by hand; they stay when the bind is made anew.`,u&&d>0),Xt("Tool",[{value:"brush",title:"Brush",tip:"Drag over the skin; strokes may start beside it"},{value:"fill",title:"Fill",tip:"Click: all that is connected, never across a gap"},{value:"select",title:"Select",tip:"Drag over vertices for the table and the tools below; Shift adds"}],f.tool,p=>e.change({tool:p})),f.tool==="select"?null:Xt("Mode",[{value:"add",title:"Add",tip:"More of the joint; Ctrl: less"},{value:"replace",title:"Replace",tip:"So much of the joint; Ctrl: the rest to one"},{value:"scale",title:"Scale",tip:"So many times as much; Ctrl: the other way"},{value:"relax",title:"Relax",tip:"Evens out what is around; Shift while painting"}],f.mode,p=>e.change({mode:p})),f.tool==="select"||g?null:M("p",{class:"joint-line"},v===null?"Select the joint to paint, or hold S and click the skin.":M("span",{class:"faint"},"Joint"),v===null?null:M("strong",{},v)),f.tool!=="select"&&f.mode==="replace"?Dr("Value","paint-replace",f.replace,0,1,p=>e.change({replace:p})):null,f.tool!=="select"&&f.mode==="scale"?Dr("Factor","paint-scale",f.scale,0,4,p=>e.change({scale:p})):null,f.tool==="select"?null:Dr("Strength","paint-strength",f.strength,.05,1,p=>e.change({strength:p})),f.tool==="fill"?qt({label:"Up to, along the skin",name:"paint-fill-reach",min:.02,max:Is,step:.01,value:Math.min(f.fillReach,Is),shown:p=>p>=Is?"all that is connected":`${(100*p).toFixed(0)} %`,moved:p=>e.change({fillReach:p>=Is?1/0:p})}):qt({label:"Radius",name:"paint-radius",min:Math.log(.003),max:Math.log(.25),step:.01,value:Math.log(f.radius),shown:p=>`${(100*Math.exp(p)).toFixed(1)} %`,moved:p=>e.change({radius:Math.exp(p)})}),f.tool==="fill"?null:Xt("Reach",[{value:"surface",title:"Along the surface",tip:"Does not jump to what is only near"},{value:"screen",title:"Through the screen",tip:"All that is under the circle, also behind"}],f.through?"screen":"surface",p=>e.change({through:p==="screen"})),f.tool==="select"?null:vi("Mirror: the other side too","paint-mirrored",f.mirrored,p=>e.change({mirrored:p})),M("p",{class:"note keys"},M("span",{},M("kbd",{},"[ ]")," radius"),M("span",{},M("kbd",{},"Shift [ ]")," strength"),M("span",{},M("kbd",{},"B")," + drag")))},o=()=>{const h=i.standing.value,u=h?.state.hands,d=h?.edited??0;if(!u||d===0&&!u.paused)return Oe(n);const f=e.chosen.value.length>0,m=f?"what is selected":"all that was painted",v=(g,p,S)=>M("button",{class:"button",title:`${p}, on ${m}`,onclick:()=>void S()},g);Oe(n,M("hr"),M("div",{class:"row"},M("h2",{},"Layer"),M("span",{class:"faint"},f?"tools: what is selected":"tools: all that was painted")),qt({label:"Opacity",name:"layer-opacity",min:0,max:1,step:.01,value:u.opacity,moved:g=>void i.tell({layer:{opacity:g}}),released:g=>void i.tell({hands:{tool:{opacity:g},label:`Layer at ${Math.round(100*g)} %`}},!0)}),vi("Hold influences and sum","hold",!u.paused,g=>void i.tell({hands:{tool:{pause:!g},label:g?"Hold influences and sum":"Let go of influences and sum"}},!0)),M("div",{class:"row wrap tools-row"},v("Smooth","Towards the mean of what is around",()=>e.use("smooth",{rounds:5},"Smooth by hand")),v("Mirror → +X","What is on −X, on +X too",()=>e.use("mirror",{to_positive:!0},"Mirror to +X")),v("Mirror → −X","What is on +X, on −X too",()=>e.use("mirror",{to_positive:!1},"Mirror to −X")),v("Prune","Shares under 2 % go",()=>e.use("prune",{under:.02},"Prune by hand")),v("Clear","The bind shows again",()=>e.use("clear",{},"Clear by hand"))),M("button",{class:"button quiet","data-act":"keep-hands",onclick:()=>void i.keepHands().then(g=>Wi(i,g))},Ye("save",15),"Write hand_edits.json"))},l=()=>{const h=e.table.value;if(e.chosen.value.length===0)return Oe(s);Oe(s,M("hr"),M("div",{class:"row"},M("h2",{},`${h.length} selected`),M("div",{class:"row"},M("button",{class:"button quiet","data-act":"copy-weights",title:"The mean of what is selected",onclick:()=>{e.copy(),l()}},Ye("copy",14),"Copy"),M("button",{class:"button quiet","data-act":"paste-weights",disabled:!e.copied,onclick:()=>void e.paste()},"Paste"))),hg(i,h))};e.brush.on(c);function c(){const h=document.activeElement;h instanceof HTMLInputElement&&h.type==="range"&&t.contains(h)||a()}return e.chosen.on(()=>{o(),l()}),e.table.on(l),i.standing.on(()=>{c(),o()}),i.scene.on(a),i.viewer.selected.on(a),a(),o(),r}function Dr(i,e,t,n,s,r){return qt({label:i,name:e,min:n,max:s,step:.01,value:t,moved:r})}function hg(i,e){const{painting:t}=i,n=i.scene.value?.joints??[],s=new Map;for(const c of e)for(const[h,u]of c.influences)s.set(h,(s.get(h)??0)+u);const r=i.viewer.selected.value;r!==null&&!s.has(r)&&n[r]?.in_skin&&s.set(r,0);const a=[...s.entries()].sort((c,h)=>h[1]-c[1]).map(([c])=>c),o=(c,h,u,d)=>{const f=M("input",{type:"text",inputMode:"decimal",class:u===0?"cell none":"cell",value:u===0?"":u.toFixed(3),"aria-label":`${n[h]?.name??h} of ${d}`,onfocus:()=>f.select(),onchange:()=>{const m=Number(f.value.trim().replace(",",".")||"0");Number.isFinite(m)?t.setShare(c,h,m):f.value=u.toFixed(3)}});return M("td",{},f)},l=(c,h)=>c.influences.find(([u])=>u===h)?.[1]??0;return M("div",{class:"weight-table"},M("table",{},M("tr",{},M("th",{},"Vertex"),...a.map(c=>M("th",{title:n[c]?.name},M("button",{class:"plain",onclick:()=>i.select(c)},n[c]?.name??String(c))))),e.length>1?M("tr",{class:"all"},M("th",{},"All"),...a.map(c=>o(e.map(h=>h.vertex),c,(s.get(c)??0)/e.length,"all"))):null,...e.slice(0,Lr).map(c=>M("tr",{class:c.edited===null?"":"edited"},M("th",{title:c.edited===null?"As the bind has it":`Covers ${Math.round(100*c.edited)} % of the bind`},String(c.source_vertex)),...a.map(h=>o([c.vertex],h,l(c,h),String(c.source_vertex)))))),e.length>Lr?M("p",{class:"note"},`and ${e.length-Lr} more`):null)}const ug=[["inside","Inside"],["surface","Surface"],["winding","By winding number"],["bone","Bones"]];function dg(i){const e=M("details",{class:"more","data-section":"solid"},M("summary",{},"The solid, cut open")),t=M("div",{class:"stack"});e.append(t);let n=2,s="look",r=.03,a=[];const o=M("input",{type:"range",min:0,max:1,step:.005,value:"0.5",name:"slice","aria-label":"Where to cut"}),l=()=>{i.viewer.voxels.slice(n,o.valueAsNumber,a),i.viewer.draw()};o.addEventListener("input",l);const c=()=>{const E=i.viewer.skin;return E?E.box.max.distanceTo(E.box.min):1},h=()=>["voxel","biharmonic"].includes(i.standing.value?.state.bind?.method??""),u=(E,x)=>{const{origin:T,direction:A}=i.viewer.orbit.ray(E,x),_=new L().setComponent(n,1),y=A.dot(_);if(Math.abs(y)<1e-6)return null;const P=(i.viewer.voxels.height-T.getComponent(n))/y;return P>0?T.addScaledVector(A,P):null},d=(E,x)=>{const T=u(E,x);if(!T)return;const A=r*c(),_=a.at(-1)?.shape.sphere.centre;if(_&&T.distanceTo(new L(..._))<.5*A)return;const y=C=>Number(C.toPrecision(5)),P=T.toArray().map(y);a.push({shape:{sphere:{centre:P,radius:y(A)}},inside:s==="in"}),l()},f=()=>{if(a.length===0)return;const E=structuredClone(i.draft);E.options.paint=[...E.options.paint??[],...a];const x=`Paint ${a[0].inside?"in":"out"}: ${a.length} ${a.length===1?"ball":"balls"}`;i.draft=E,i.bind(E,x)},m=E=>{s=E,i.brushing.value=s==="look"?null:{stamp:d,release:f,done:()=>m("look")},v()},v=()=>{const E=i.draft.options.paint?.length??0;Oe(t,M("ul",{class:"kinds"},...ug.map(([x,T])=>M("li",{},M("span",{class:`swatch kind-${x}`}),T))),Xt("Axis",["X","Y","Z"].map((x,T)=>({value:String(T),title:x})),String(n),x=>{n=Number(x),v(),l()}),o,M("span",{class:"label"},"Put right what is inside"),Xt("Brush",[{value:"look",title:"Look"},{value:"in",title:"Paint in",disabled:!h(),tip:"Drag over the cut: what is painted is inside"},{value:"out",title:"Paint out",disabled:!h(),tip:"Drag over the cut: what is painted is outside"}],s,m),h()?qt({label:"Brush radius",name:"voxel-radius",min:.005,max:.1,step:.005,value:r,shown:x=>`${(100*x).toFixed(1)} %`,moved:x=>r=x}):M("p",{class:"note"},"Bind by voxel to paint, or to leave views out that see wrongly."),h()?pg(i):null,E>0?M("div",{class:"row"},M("span",{class:"note"},`${E} ${E===1?"ball":"balls"} painted`),M("button",{class:"button quiet",onclick:()=>{const x=structuredClone(i.draft);delete x.options.paint,i.draft=x,i.bind(x,"Remove what was painted")}},"Remove")):null)};v();let g=i.look.value?.shading??"textured";const p=async()=>await i.voxels()?(a=[],l(),!0):!1;e.addEventListener("toggle",()=>{if(!e.open){s!=="look"&&m("look"),i.viewer.voxels.hide(),i.setLook({shading:g}),i.player?.seek(i.player.seconds.value);return}g=i.look.value?.shading??"textured",p().then(E=>{if(!E){e.open=!1;return}i.rig&&i.player?.hold(i.rig.rest),i.setLook({shading:"xray"}),v()})});let S="";return i.standing.on(E=>{v();const x=E?.state.bind,T=JSON.stringify([E?.serial,x?.method,x?.options,E?.slots[0]?.pending]);e.open&&T!==S&&!E?.slots[0]?.pending&&p(),S=T}),i.scene.on(()=>e.open=!1),i.tab.on(E=>{E!=="weights"&&(e.open=!1)}),e}const fg=["+x","-x","+y","-y","+z","-z"];function pg(i){const e=i.draft.options.exclude_views??[];return M("div",{class:"stack tight"},M("span",{class:"label"},"Views that decide"),M("div",{class:"chips",role:"group","aria-label":"Views that decide"},...fg.map(t=>{const n=!e.includes(t);return M("button",{class:"chip","aria-pressed":String(n),"data-view":t,title:n?`Leave the view along ${t} out`:`Let the view along ${t} decide again`,onclick:()=>{const s=structuredClone(i.draft);s.options.exclude_views=n?[...e,t]:e.filter(r=>r!==t),i.draft=s,i.bind(s,n?`Without the view ${t}`:`With the view ${t}`)}},t.replace("-","−"))})))}const mg=["Plasma","Rainbow","Grey","Fire"];function gg(i){const e=M("section",{class:"panel","aria-label":"Weights"}),t=M("div",{class:"stack"}),n=M("div",{class:"stack"}),s=M("div",{class:"stack"},t,n,M("hr"),dg(i)),r=cg(i),a=M("div",{});let o=!1;const l=()=>{Oe(a,Xt("What to do with weights",[{value:"look",title:"Look",tip:"Who holds what, and why"},{value:"paint",title:"Paint",tip:"Brush, fill, table: a layer over the bind"}],o?"paint":"look",u=>{o=u==="paint",l()})),s.hidden=o,r.hidden=!o,i.painting.setActive(o&&i.tab.value==="weights")};i.tab.on(l),e.append(a,s,r),l();const c=()=>{const u=i.look.value,d=i.standing.value;if(!u)return;const f=!!d?.slots[0],m=i.viewer.selected.value,v=m===null?null:i.scene.value?.joints[m]?.name??null;Oe(t,kn(f?"Look at who holds what. Select a joint, or hold S and click the skin.":"There are no weights yet. Bind first.",`Showing what ${v??""} holds.`,f&&u.coloring==="joint"&&v!==null),No(u.coloring)?Xt("Ramp",mg.map((g,p)=>({value:String(p),title:g})),String(u.ramp),g=>i.setLook({ramp:Number(g)})):null,No(u.coloring)?xg(u.ramp):null,u.coloring==="symmetry"?M("p",{class:"note"},"Half the sum of the weights that differ from those of the mirror image; hatched where there is none."):null,u.coloring==="surface"?M("p",{class:"note"},"The buttons over the character choose what colours mean (W)."):null,u.coloring==="influences"?mn("Red where more than","most",Array.from({length:8},(g,p)=>({value:String(p+1),title:`${p+1} joints`})),String(u.most),g=>i.setLook({most:Number(g)})):null)},h=()=>{const u=i.pinned.value;if(Fo(i),!u){Oe(n,M("p",{class:"note"},"Click the skin to keep a vertex here and ask why it follows whom."));return}const d=M("div",{class:"stack"});Oe(n,M("div",{class:"card"},M("div",{class:"row"},M("strong",{},`Vertex ${u.source_vertex}`),M("button",{class:"button quiet","data-act":"why",onclick:()=>void f()},"Why?")),Ml(i,u.influences),d));const f=async()=>{const m=await i.why(u.vertex);if(!m)return;const v=m.bones;_g(i,v);const g=p=>p.toFixed(3);Oe(d,m.carried_by?M("p",{class:"note"},`Its part is carried by ${String(m.carried_by)} as one piece.`):M("p",{class:"note"},"Distances to the nearest bones, straight and through the body; the last decides. Lines show the ways, at rest."),M("table",{class:"figures"},M("tr",{},...["bone of","straight","inside","counts"].map(p=>M("th",{},p))),...v.map(p=>M("tr",{},M("td",{},p.joint),...[p.straight,p.through_solid,p.counts].map(S=>M("td",{class:"figure"},g(S)))))),xi(i,"Copy",String(m.text)))}};return i.look.on(c),i.standing.on(c),i.viewer.selected.on(c),i.pinned.each(h),i.tab.on(u=>{u!=="weights"&&Fo(i)}),c(),e}function No(i){return["joint","difference","map","symmetry"].includes(i)}let ks=null;function Fo(i){if(ks===null)return;const e=ks;ks=null,i.viewer.setPaths([]),i.player?.seek(i.player.seconds.value),i.setLook({shading:e})}function _g(i,e){const t=i.scene.value?.joints??[],n=i.look.value?.shading??"textured";ks??=n,i.rig&&i.player?.hold(i.rig.rest),i.setLook({shading:"xray"}),i.viewer.setPaths(e.map(s=>({points:s.path,color:t.find(r=>r.name===s.joint)?.color??[1,1,1]})))}function Ml(i,e){const t=i.scene.value?.joints??[];if(e.length===0)return M("p",{class:"note"},"Not bound.");const n=e.map(([s,r])=>{const a=M("span",{class:"bar"});return a.style.width=`${(100*r).toFixed(1)}%`,M("li",{},M("button",{class:"plain",title:"Select this joint",onclick:()=>i.select(s)},t[s]?.name??String(s)),M("span",{class:"track"},a),M("span",{class:"figure"},r.toFixed(3)))});return M("ul",{class:"influences"},...n)}function vg(i){const e=i.look.value,t=!!i.standing.value?.state.other,n=[{value:"surface",title:"Surface",tip:"Materials and textures"},{value:"joint",title:"Joint",tip:"What the selected joint holds"},{value:"joints",title:"All joints",tip:"Every vertex in the colours of its joints"},{value:"influences",title:"Count",tip:"How many joints hold a vertex"},{value:"symmetry",title:"Symmetry",tip:"Where left and right are not bound alike"}];return t&&n.push({value:"difference",title:"Difference",tip:"What differs between the two binds"}),Xt("Colour",n,e?.coloring??"surface",s=>i.setLook({coloring:s}))}function xg(i){return M("div",{class:"legend"},M("span",{class:"zero",title:"nothing"}),M("span",{class:`ramp ramp-${i}`}),M("span",{class:"figure"},"0"),M("span",{class:"figure"},"0+"),M("span",{class:"figure"},"1"))}function Sg(i){const e=M("div",{class:"tools left"}),t=M("div",{class:"tools right"}),n=()=>{const u=i.look.value;u&&(Oe(e,vg(i)),Oe(t,Xt("Shading",[{value:"textured",title:"Material",tip:"Materials and textures (Z)"},{value:"clay",title:"Clay",tip:"One colour, light alone (Z)"},{value:"wire",title:"Wire",tip:"Edges over the surface (Z)"},{value:"xray",title:"X-ray",tip:"See through the skin (Z)"}],u.shading,d=>i.setLook({shading:d})),Ir("bone","Bones (B)",u.bones,()=>i.setLook({bones:!u.bones})),Ir("beside","The rest pose beside (R)",u.layout==="rest",()=>i.setLook({layout:u.layout==="rest"?"one":"rest"})),Ir("flat","Parallel lines of sight (O)",Ns(i),()=>{i.viewer.orbit.setFlat(!Ns(i)),i.viewer.draw(),n()}),M("button",{class:"button quiet icon-only",title:"Frame all (A)","aria-label":"Frame all",onclick:()=>i.viewer.frameAll()},Ye("frame",17))))};i.look.each(n),i.standing.on(n);let s=!1;i.viewer.rendered.push(()=>{s!==Ns(i)&&(s=Ns(i),n())});const r=M("div",{class:"hover-card","aria-live":"off"}),a=()=>{const u=i.picked.value;if(r.hidden=!u,!u)return;const d=u.part===null?"":i.scene.value?.parts[u.part]?.name??"";Oe(r,M("div",{class:"row"},M("strong",{},`Vertex ${u.source_vertex}`),M("span",{class:"faint"},d)),Ml(i,u.influences),u.carried?M("p",{class:"note"},"Carried as one piece."):null)};i.picked.each(a);const o=M("div",{class:"labels"}),l=[M("span",{class:"label-a"}),M("span",{class:"label-b"})],c=M("div",{class:"wipe-line",role:"separator","aria-label":"Border between the two binds",tabindex:"0"});o.append(...l,c);const h=()=>{const u=i.look.value,d=i.standing.value,f=u?.layout!=="one";l[0].hidden=l[1].hidden=!f,c.hidden=u?.layout!=="wipe",!(!u||!f)&&(l[0].textContent=u.layout==="rest"?"Posed":d?.slots[0]?.name??"not bound",l[1].textContent=u.layout==="rest"?"At rest":d?.slots[1]?.name??"…",c.style.left=`${100*u.wipe}%`)};return i.look.each(h),i.standing.on(h),Mg(i,c),[e,t,r,o]}function Ns(i){return i.viewer.orbit.flat}function Ir(i,e,t,n){return M("button",{class:"button quiet icon-only",title:e,"aria-label":e,"aria-pressed":String(t),onclick:n},Ye(i,17))}function Mg(i,e){const t=n=>i.setLook({wipe:Math.min(.98,Math.max(.02,n))});e.addEventListener("pointerdown",n=>{e.setPointerCapture(n.pointerId),n.stopPropagation()}),e.addEventListener("pointermove",n=>{if(!e.hasPointerCapture(n.pointerId))return;const s=i.viewer.root.getBoundingClientRect();t((n.clientX-s.left)/s.width)}),e.addEventListener("keydown",n=>{const s=i.look.value?.wipe??.5;n.key==="ArrowLeft"&&t(s-.02),n.key==="ArrowRight"&&t(s+.02)})}function yg(i){const{viewer:e}=i;let t=!1;addEventListener("keydown",n=>{i.held.add(n.key.toLowerCase()),n.key==="s"&&!n.ctrlKey&&!n.metaKey&&(t=!0)}),addEventListener("keyup",n=>{i.held.delete(n.key.toLowerCase()),n.key==="s"&&(t=!1)}),addEventListener("blur",()=>{t=!1,i.held.clear()}),e.panes.forEach((n,s)=>{let r=null,a=!1,o=null,l=!1,c=null;const h=m=>{const v=n.getBoundingClientRect(),g=m.clientX-v.left,p=m.clientY-v.top,S=2*g/v.width-1,E=1-2*p/v.height;return{x:g,y:p,u:S,v:E,rect:v}},u=()=>s===1&&e.look.layout==="rest",d=m=>{if(e.look.layout==="split")return s;if(e.look.layout!=="wipe")return 0;const{x:v,rect:g}=h(m);return v/g.width>e.look.wipe?1:0};n.addEventListener("contextmenu",m=>m.preventDefault()),n.addEventListener("pointerdown",m=>{document.activeElement?.blur(),i.picked.value=null;const v=s===0&&m.button===0&&!m.altKey&&!t?i.brushing.value:null;if(v&&(v.begin?v.begin(m):!m.shiftKey)){a=!0,n.setPointerCapture(m.pointerId);const{u:g,v:p}=h(m);v.stamp(g,p);return}if(s===0&&m.button===0&&!m.altKey&&i.tab.value==="rig"&&i.standing.value?.state.rig){const{x:g,y:p,rect:S}=h(m),E=e.bones?.headAt(e.orbit.camera,g,p,S.width,S.height)??null;if(E!==null){i.select(E),o=new Jm(i,E),n.setPointerCapture(m.pointerId);return}}s===0&&e.gizmoBusy&&m.button===0&&!m.altKey||(r={x:m.clientX,y:m.clientY,moved:0,pan:m.button===2||m.shiftKey},n.setPointerCapture(m.pointerId))}),n.addEventListener("pointermove",m=>{if(a){const{u:v,v:g}=h(m);i.brushing.value?.stamp(v,g);return}if(o){const{x:v,y:g,u:p,v:S,rect:E}=h(m);o.look(v,g,E.width,E.height),o.move(p,S,m.shiftKey,m.ctrlKey||m.metaKey);return}if(r){const[v,g]=[m.clientX-r.x,m.clientY-r.y];r.moved+=Math.abs(v)+Math.abs(g),[r.x,r.y]=[m.clientX,m.clientY],r.pan?e.orbit.pan(v,g,n.clientHeight):e.orbit.orbit(v,g),e.draw();return}f(m)});const f=m=>{const{x:v,y:g,u:p,v:S,rect:E}=h(m);e.look.bones&&!t&&s===0&&(e.hovered.value=e.bones?.at(e.orbit.camera,v,g,E.width,E.height)??null),i.painting.active.value&&(e.hovered.value=null),n.style.cursor=t?"crosshair":e.hovered.value!==null?"pointer":"";const x=()=>{l=!0,i.pick(p,S,d(m),u()).then(T=>{l=!1,i.picked.value=T;const A=c;c=null,A?.()})};l?c=x:x()};n.addEventListener("pointerleave",()=>{c=null,e.hovered.value=null,i.picked.value=null}),n.addEventListener("pointerup",m=>{if(a){a=!1,i.brushing.value?.release?.();return}if(o){o.release(),o=null;return}const v=r;if(r=null,!v||v.moved>4||m.button!==0)return;const{x:g,y:p,u:S,v:E,rect:x}=h(m),T=e.look.bones&&!t?e.bones?.at(e.orbit.camera,g,p,x.width,x.height):null;if(T!=null){i.select(T);return}const A=t;i.pick(S,E,d(m),u()).then(_=>{if(A){const y=_?.influences[0];y&&i.select(y[0]);return}i.pinned.value=_,_||i.select(null)})}),n.addEventListener("wheel",m=>{m.preventDefault();const{u:v,v:g}=h(m);e.orbit.zoom(Math.exp(m.deltaY*.0012),v,g),e.draw()},{passive:!1})})}function bg(i){if(i.kind==="file")return i.name;const e=i.name.replace("builtin:","").replaceAll("-"," ");return e.charAt(0).toUpperCase()+e.slice(1)+(i.kind==="range"?", every joint":"")}function wg(i){const e=M("button",{class:"button quiet icon-only play","data-act":"play",title:"Play (Space)","aria-label":"Play or pause"});e.addEventListener("click",()=>i.player?.toggle());const t=M("select",{name:"clip","aria-label":"Motion",title:"Motion"}),n=M("input",{type:"range",name:"time",min:0,max:1,step:.001,value:"0","aria-label":"Time"}),s=M("output",{class:"figure time"},"0.00 s"),r=M("select",{name:"speed","aria-label":"Speed",title:"Speed"});for(const h of[.1,.25,.5,1,2])r.append(M("option",{value:String(h),selected:h===1},`${h}×`));r.addEventListener("change",()=>{i.player&&(i.player.speed.value=Number(r.value))}),t.addEventListener("change",()=>{const h=t.value,u=h==="pose"||h==="keys"?h:{clip:Number(h)};i.player?.choose(u),u!=="pose"&&i.player&&(i.player.playing.value=!0),t.blur()}),n.addEventListener("input",()=>{i.player&&(i.player.playing.value=!1,i.player.seek(n.valueAsNumber*i.player.duration),i.viewer.draw())});const a=()=>{const h=i.scene.value,u=i.standing.value?.state.keys.length??0,d=i.player?.source.value??"pose",f=typeof d=="object"?String(d.clip):d,m=v=>(h?.clips??[]).flatMap((g,p)=>v(g)?[M("option",{value:String(p),selected:f===String(p)},bg(g))]:[]);Oe(t,M("option",{value:"pose",selected:f==="pose"},"Pose by hand"),...m(v=>v.kind==="file"),u>1?M("option",{value:"keys",selected:f==="keys"},`Kept poses (${u})`):null,M("optgroup",{label:"Made for this body"},...m(v=>v.kind!=="file")))},o=()=>{const h=i.player?.playing.value??!1;Oe(e,Ye(h?"pause":"play",18)),e.setAttribute("aria-pressed",String(h))},l=()=>(i.standing.value?.state.pose.length??0)>0,c=()=>{const h=i.player,u=h?.duration??0,d=h?.seconds.value??0;n.disabled=e.disabled=u<=0,document.activeElement!==n&&(n.value=String(u>0?d/u:0)),s.textContent=u>0?`${d.toFixed(2)} / ${u.toFixed(2)} s`:l()?"Pose":"Rest"};return i.scene.on(()=>{const h=i.player;h&&(r.value="1",h.playing.each(o),h.seconds.each(c),h.source.each(()=>{a(),c()}),c())}),i.standing.on(a),i.look.on(c),o(),setInterval(c,300),M("footer",{class:"timeline","aria-label":"Motion"},e,t,n,s,r)}function Eg(i){const e=M("input",{type:"search",placeholder:"Find a joint","aria-label":"Find a joint",spellcheck:!1,oninput:()=>r(),onkeydown:o=>{o.key==="Enter"&&t.querySelector("button[data-joint]")?.click()}}),t=M("div",{class:"tree",role:"tree","aria-label":"Joints"}),n=M("span",{class:"figure faint"}),s=new Map,r=()=>{const o=i.scene.value;if(s.clear(),!o)return Oe(t);const l=e.value.trim().toLowerCase(),c=Tg(o),h=o.joints.map((u,d)=>({joint:u,at:d})).filter(({joint:u})=>u.in_skin&&(!l||u.name.toLowerCase().includes(l)));n.textContent=String(o.joints.filter(u=>u.in_skin).length),Oe(t,...Ag(o,h.map(u=>u.at)).map(u=>{const d=o.joints[u],f=M("span",{class:"joint-dot"});f.style.background=Rg(d.color);const m=M("button",{class:"joint",role:"treeitem","data-joint":String(u),"data-name":d.name,title:d.name,onclick:()=>i.select(i.viewer.selected.value===u?null:u),ondblclick:()=>{i.select(u),i.viewer.frameJoint(u)},onpointerenter:()=>i.viewer.hovered.value=u,onpointerleave:()=>i.viewer.hovered.value=null},f,M("span",{class:"name"},d.name));return m.style.paddingInlineStart=`${8+(l?0:6*Math.min(14,c[u]))}px`,s.set(u,m),m}),h.length===0?M("p",{class:"note"},l?"No joint of that name.":"There is no skeleton."):null),a()},a=()=>{const o=i.viewer.selected.value,l=o!==null&&s.has(o)?o:t.querySelector("[data-joint]")?.dataset.joint;for(const[h,u]of s)u.setAttribute("aria-selected",String(h===o)),u.tabIndex=h===Number(l)?0:-1;(o===null?void 0:s.get(o))?.scrollIntoView({block:"nearest"})};return i.scene.on(r),i.viewer.selected.on(a),t.addEventListener("keydown",o=>{const l=[...t.querySelectorAll("button[data-joint]")],c=l.indexOf(document.activeElement),h=o.key==="ArrowDown"?c+1:o.key==="ArrowUp"?c-1:-1;c>=0&&l[h]&&(o.preventDefault(),l[h].focus(),i.select(Number(l[h].dataset.joint)))}),M("aside",{class:"side left","aria-label":"Joints"},M("header",{},M("h2",{},"Joints"),n),M("label",{class:"search"},Ye("search",15),e),t)}function Tg(i){const e=[],t=n=>{let s=i.joints[n].parent;for(;s!==null&&!i.joints[s].in_skin;)s=i.joints[s].parent;return s};return i.joints.forEach((n,s)=>{const r=t(s);e.push(r===null?0:e[r]+1)}),e}function Ag(i,e){const t=new Map;i.joints.forEach((a,o)=>{t.set(a.parent,[...t.get(a.parent)??[],o])});const n=new Set(e),s=[],r=[...t.get(null)??[]].reverse();for(;r.length>0;){const a=r.pop();n.has(a)&&s.push(a),r.push(...[...t.get(a)??[]].reverse())}return s}function Rg(i){const e=t=>{const n=t<=.0031308?12.92*t:1.055*t**.4166666666666667-.055;return Math.round(255*Math.min(1,Math.max(0,n)))};return`rgb(${i.map(e).join(" ")})`}const Yn=[["rig","Rig",rg],["bind","Bind",Am],["weights","Weights",gg],["pose","Pose",fm],["compare","Compare",Gm],["judge","Judge",Ym],["history","History",$m]];function Cg(i){const e=M("main",{class:"stage","aria-label":"Character"});let t;try{t=new sm(e)}catch{Oe(i,M("p",{class:"fatal"},"The studio draws with WebGL 2, which this browser does not offer. Switch on hardware acceleration or use another browser."));return}e.append(...Sg(t),Um(t),Fm(t),Nm(t));const n=Yn.map(([r,,a])=>{const o=a(t);return o.id=`panel-${r}`,o.setAttribute("role","tabpanel"),o}),s=M("div",{class:"tabs",role:"tablist","aria-label":"Steps"});Yn.forEach(([r,a])=>{s.append(M("button",{role:"tab","data-tab":r,"aria-controls":`panel-${r}`,onclick:()=>t.tab.value=r},a))}),s.addEventListener("keydown",r=>{const a=r.key==="ArrowRight"?1:r.key==="ArrowLeft"?-1:0;if(a===0)return;const o=Yn.findIndex(([l])=>l===t.tab.value);t.tab.value=Yn[(o+a+Yn.length)%Yn.length][0],s.querySelector("[aria-selected=true]")?.focus()}),t.tab.each(r=>{Yn.forEach(([a],o)=>{n[o].hidden=a!==r,s.children[o].setAttribute("aria-selected",String(a===r)),s.children[o].tabIndex=a===r?0:-1}),t.viewer.setTurning(r==="pose")}),Oe(i,om(t,()=>vl(t)),Eg(t),e,M("aside",{class:"side right","aria-label":"Steps"},s,M("div",{class:"panels"},...n)),wg(t)),yg(t),new og(t),zm(t),Vr(t),matchMedia("(prefers-color-scheme: light)").addEventListener("change",()=>Vr(t)),Pg(t),Object.assign(window,{studio:t}),t.link.open()}function Pg(i){const e=t=>document.documentElement.toggleAttribute("data-dropping",t);addEventListener("dragover",t=>{t.preventDefault(),e(!0)}),addEventListener("dragleave",t=>{t.relatedTarget||e(!1)}),addEventListener("drop",t=>{t.preventDefault(),e(!1);const n=[...t.dataTransfer?.files??[]];n.length>0&&i.drop(n)})}const Uo=document.getElementById("app");Uo&&Cg(Uo);
